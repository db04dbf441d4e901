// What CUDA's headers give, by clang's built-in functions, so that no toolkit is needed to compile.
#define KERNEL extern "C" __attribute__((global)) void
#define DEVICE static inline __attribute__((device))
#define SHARED __attribute__((shared))
#define CONSTANT __attribute__((constant))
#define EXTERN extern "C" __attribute__((device))
typedef unsigned u32;
typedef unsigned char u8;
typedef unsigned long long u64;
#define TID ((int)__nvvm_read_ptx_sreg_tid_x())
#define TIDY ((int)__nvvm_read_ptx_sreg_tid_y())
#define BID ((int)__nvvm_read_ptx_sreg_ctaid_x())
#define BIDY ((int)__nvvm_read_ptx_sreg_ctaid_y())
#define DIM ((int)__nvvm_read_ptx_sreg_ntid_x())
#define DIMY ((int)__nvvm_read_ptx_sreg_ntid_y())
#define GRID ((int)__nvvm_read_ptx_sreg_nctaid_x())
#define ID (BID * DIM + TID)
#define LANE (TID & 31)
#define WARP (TID >> 5)
#define ALL 0xffffffffu
DEVICE void sync() { __syncthreads(); }
DEVICE int down(int value, int by) { return __nvvm_shfl_sync_down_i32(ALL, value, by, 31); }
DEVICE float down(float value, int by) { return __nvvm_shfl_sync_down_f32(ALL, value, by, 31); }
DEVICE int up(int value, int by) { return __nvvm_shfl_sync_up_i32(ALL, value, by, 0); }
DEVICE float across(float value, int mask) { return __nvvm_shfl_sync_bfly_f32(ALL, value, mask, 31); }
DEVICE int from(int value, int lane) { return __nvvm_shfl_sync_idx_i32(ALL, value, lane, 31); }
DEVICE u32 ballot(bool vote) { return __nvvm_vote_ballot_sync(ALL, vote); }
DEVICE int least(int a, int b) { return a < b ? a : b; }
DEVICE int most(int a, int b) { return a > b ? a : b; }
