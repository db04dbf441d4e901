// Kernels as CUDA's programmers write them, with the assembly that its headers hold; 64 threads of one block each.
#define KERNEL extern "C" __attribute__((global)) void
#define DEVICE static inline __attribute__((device))
#define SHARED __attribute__((shared))
typedef unsigned u32;
typedef unsigned short u16;
typedef unsigned long long u64;
#define T ((int)__nvvm_read_ptx_sreg_tid_x())

DEVICE u32 shared_address(const void *p) {
  u32 at;
  asm("{ .reg .u64 wide; cvta.to.shared.u64 wide, %1; cvt.u32.u64 %0, wide; }" : "=r"(at) : "l"(p));
  return at;
}
DEVICE void meet() { asm volatile("bar.sync 0;" ::: "memory"); }
DEVICE float as_float(int i) { return __builtin_bit_cast(float, i); }
DEVICE int as_int(float f) { return __builtin_bit_cast(int, f); }

KERNEL bits(int *o, const int *a) {
  int lowest, ones, zeros, mirrored;
  asm("{ .reg .b32 r; brev.b32 r, %1; bfind.shiftamt.u32 %0, r; }" : "=r"(lowest) : "r"(a[T]));
  asm("popc.b32 %0, %1;" : "=r"(ones) : "r"(a[T]));
  asm("clz.b32 %0,%1;" : "=r"(zeros) : "r"(a[T]));
  asm("brev.b32\t%0, %1;" : "=r"(mirrored) : "r"(a[T]));
  o[4 * T] = lowest + 1, o[4 * T + 1] = ones, o[4 * T + 2] = zeros, o[4 * T + 3] = mirrored;
}

KERNEL dots(int *o, const int *a) {
  int s, u;
  asm("dp4a.s32.s32 %0, %1, %2, %3;" : "=r"(s) : "r"(a[T]), "r"(a[T + 64]), "r"(5));
  asm("dp4a.u32.u32 %0, %1, %2, %3;" : "=r"(u) : "r"(a[T]), "r"(a[T + 64]), "n"(7));
  o[2 * T] = s, o[2 * T + 1] = u;
}

KERNEL halves(float *o, const float *a) {
  u16 low, high;
  u32 pair, result;
  asm("{ cvt.rn.f16.f32 %0, %1;}\n" : "=h"(low) : "f"(a[T]));
  asm("{ cvt.rz.f16.f32 %0, %1;}\n" : "=h"(high) : "f"(a[T + 64]));
  asm("mov.b32 %0, {%1,%2};" : "=r"(pair) : "h"(low), "h"(high));
  asm("{fma.rn.f16x2 %0,%1,%2,%3;\n}" : "=r"(result) : "r"(pair), "r"(pair), "r"(0x3c003c00));
  asm("{.reg .f16 low,high; mov.b32 {low,high},%1; cvt.f32.f16 %0, low;}" : "=f"(o[2 * T]) : "r"(result));
  asm("{.reg.f16 low,high; mov.b32 {low,high},%1; cvt.f32.f16 %0, high;}" : "=f"(o[2 * T + 1]) : "r"(result));
}

KERNEL bfloats(float *o, const float *a) {
  u32 pair, least;
  u16 low;
  asm("cvt.rn.bf16x2.f32 %0, %1, %2;" : "=r"(pair) : "f"(a[T + 64]), "f"(a[T]));
  asm("{ min.bf16x2 %0,%1,%2; }" : "=r"(least) : "r"(pair), "r"(0x3f803f80));
  asm("{.reg .b16 h; mov.b32 {%0, h}, %1;}" : "=h"(low) : "r"(least));
  asm("{ mov.b32 %0, {0,%1};}\n" : "=f"(o[2 * T]) : "h"(low));
  o[2 * T + 1] = as_float(least & 0xffff0000u);
}

KERNEL copies(int *o, const int *a) {
  SHARED static int tile[2][64];
  for (int step = 0; step < 2; ++step) {
    u32 to = shared_address(&tile[step][T]);
    asm volatile("cp.async.ca.shared.global.L2::128B [%0], [%1], 4;" ::"r"(to), "l"(a + 64 * step + T) : "memory");
    asm volatile("cp.async.commit_group;" ::: "memory");
  }
  asm volatile("cp.async.wait_group 1;" ::: "memory");
  meet();
  int first = tile[0][63 - T];
  asm volatile("cp.async.wait_all;" ::: "memory");
  meet();
  o[T] = first + 3 * tile[1][63 - T];
}

KERNEL partial_copies(int *o, const int *a) {
  SHARED static __attribute__((aligned(16))) int tile[256];
  u32 to = shared_address(&tile[4 * T]);
  asm volatile("cp.async.cg.shared.global [%0], [%1], %2, %3;\n" ::"r"(to), "l"(a + 4 * T), "n"(16), "r"(4 * (T % 5))
               : "memory");
  asm volatile("{ .reg .pred none; setp.ge.s32 none, %0, 64; @none trap; cp.async.wait_all; }" ::"r"(T) : "memory");
  meet();
  for (int n = 0; n < 4; ++n) o[4 * T + n] = tile[4 * (63 - T) + n];
}

KERNEL barriers(int *o, const int *a) {
  SHARED static u64 bar;
  SHARED static int held[64];
  u32 at = shared_address(&bar);
  if (T == 0) asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(at), "r"(64) : "memory");
  meet();
  int sum = 0;
  for (int phase = 0; phase < 3; ++phase) {
    held[T] = a[T] + phase;
    u64 token;
    asm volatile("mbarrier.arrive.shared.b64 %0, [%1];" : "=l"(token) : "r"(at) : "memory");
    asm volatile("{\n\t.reg .pred done;\n\tagain_%=:\n\tmbarrier.try_wait.parity.shared.b64 done, [%0], %1;\n\t"
                 "@!done bra.uni again_%=;\n\t}" ::"r"(at), "r"(phase & 1)
                 : "memory");
    sum += held[63 - T];
    meet();
  }
  o[T] = sum;
}

KERNEL products(float *o, const int *a) {
  SHARED static __attribute__((aligned(16))) u16 left[256], right[128];
  for (int n = T; n < 256; n += 64) left[n] = as_int((float)(a[n] & 7)) >> 16;
  for (int n = T; n < 128; n += 64) right[n] = as_int((float)(a[n + 64] & 3)) >> 16;
  meet();
  if (T >= 32) return;
  u32 x[4], y[2];
  float d[4];
  u32 row = shared_address(&left[T % 16 * 16 + T / 16 * 8]), other = shared_address(&right[T % 8 * 16 + T / 8 % 2 * 8]);
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];\n"
               : "=r"(x[0]), "=r"(x[1]), "=r"(x[2]), "=r"(x[3]) : "r"(row));
  asm volatile("ldmatrix.sync.aligned.m8n8.x2.shared::cta.b16 {%0,%1}, [%2];" : "=r"(y[0]), "=r"(y[1]) : "r"(other));
  asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, "
               "{%10,%11,%12,%13};\n"
               : "=f"(d[0]), "=f"(d[1]), "=f"(d[2]), "=f"(d[3])
               : "r"(x[0]), "r"(x[1]), "r"(x[2]), "r"(x[3]), "r"(y[0]), "r"(y[1]), "f"(0.f), "f"(1.f), "f"(2.f), "f"(3.f));
  for (int n = 0; n < 4; ++n) o[(T / 4 + n / 2 * 8) * 8 + T % 4 * 2 + n % 2] = d[n];
}

KERNEL shuffles(int *o, const int *a) {
  int sum = a[T], from;
  for (int step = 16; step; step /= 2) {
    int other;
    asm volatile("shfl.sync.bfly.b32 %0, %1, %2, 0x1f, 0xffffffff;" : "=r"(other) : "r"(sum), "r"(step));
    sum += other;
  }
  asm volatile("{ .reg .pred p; shfl.sync.up.b32 %0|p, %1, 1, 0, -1; @!p mov.s32 %0, -7; }" : "=r"(from) : "r"(a[T]));
  o[2 * T] = sum, o[2 * T + 1] = from;
}

KERNEL votes(int *o, const int *a) {
  u32 mask, same;
  int all;
  asm volatile("{.reg .pred p; setp.gt.s32 p, %1, 0; vote.sync.ballot.b32 %0, p, 0xffffffff;}" : "=r"(mask) : "r"(a[T]));
  asm volatile("{.reg .pred p, q; setp.ne.s32 p, %1, %1; vote.sync.any.pred q, p, -1; selp.s32 %0, 1, 0, q;}"
               : "=r"(all) : "r"(a[T]));
  asm volatile("match.any.sync.b32 %0, %1, 0xffffffff;" : "=r"(same) : "r"(a[T] & 3));
  o[3 * T] = mask, o[3 * T + 1] = all, o[3 * T + 2] = same;
}

KERNEL funnels(int *o, const int *a) {
  asm("shf.l.wrap.b32 %0, %1, %2, %3;" : "=r"(o[4 * T]) : "r"(a[T]), "r"(a[T + 64]), "r"(T));
  asm("shf.r.wrap.b32 %0, %1, %2, %3;" : "=r"(o[4 * T + 1]) : "r"(a[T]), "r"(a[T + 64]), "r"(T));
  asm("shf.l.clamp.b32 %0, %1, %2, %3;" : "=r"(o[4 * T + 2]) : "r"(a[T]), "r"(a[T + 64]), "r"(T));
  asm("shf.r.clamp.b32 %0, %1, %2, %3;" : "=r"(o[4 * T + 3]) : "r"(a[T]), "r"(a[T + 64]), "r"(T));
}

KERNEL shifts(int *o, const int *a) {
  asm("shl.b32 %0, %1, %2;" : "=r"(o[3 * T]) : "r"(a[T]), "r"(T));
  asm("shr.u32 %0, %1, %2;" : "=r"(o[3 * T + 1]) : "r"(a[T]), "r"(T));
  asm("shr.s32 %0, %1, %2;" : "=r"(o[3 * T + 2]) : "r"(a[T]), "r"(T));
}

KERNEL logic(int *o, const int *a) {
  asm("lop3.b32 %0, %1, %2, %3, 0xca;" : "=r"(o[2 * T]) : "r"(a[T]), "r"(a[T + 64]), "r"(a[T + 128]));
  asm("prmt.b32 %0, %1, %2, 0x6420;" : "=r"(o[2 * T + 1]) : "r"(a[T]), "r"(a[T + 64]));
}

KERNEL fields(int *o, const int *a) {
  asm("bfe.u32 %0, %1, 5, 11;" : "=r"(o[3 * T]) : "r"(a[T]));
  asm("bfe.s32 %0, %1, %2, %3;" : "=r"(o[3 * T + 1]) : "r"(a[T]), "r"(3), "r"(7));
  asm("bfi.b32 %0, %1, %2, 8, 12;" : "=r"(o[3 * T + 2]) : "r"(a[T + 64]), "r"(a[T]));
}

KERNEL wide_products(int *o, const int *a) {
  u64 u;
  long long s;
  asm("mul.wide.u32 %0, %1, %2;" : "=l"(u) : "r"(a[T]), "r"(a[T + 64]));
  asm("mad.wide.s32 %0, %1, %2, %3;" : "=l"(s) : "r"(a[T]), "r"(a[T + 64]), "l"(1000000007ll));
  asm("mul.hi.s32 %0, %1, %2;" : "=r"(o[5 * T]) : "r"(a[T]), "r"(a[T + 64]));
  o[5 * T + 1] = (int)u, o[5 * T + 2] = (int)(u >> 32), o[5 * T + 3] = (int)s, o[5 * T + 4] = (int)(s >> 32);
}

KERNEL carries(u32 *o, const u32 *a) {
  u32 x0, x1, x2, y0, y1;
  asm("add.cc.u32 %0, %3, %4;\n\taddc.cc.u32 %1, %3, %5;\n\taddc.u32 %2, 0, 0;"
      : "=&r"(x0), "=&r"(x1), "=r"(x2) : "r"(a[T]), "r"(a[T + 64]), "r"(a[T + 128]));
  asm("{ mad.lo.cc.u32 %0, %2, %3, %4; madc.hi.u32 %1, %2, %3, 0; }" : "=&r"(y0), "=r"(y1)
      : "r"(a[T]), "r"(a[T + 64]), "r"(a[T + 128]));
  o[5 * T] = x0, o[5 * T + 1] = x1, o[5 * T + 2] = x2, o[5 * T + 3] = y0, o[5 * T + 4] = y1;
}

KERNEL reductions(int *o, const int *a) {
  SHARED static int total, most;
  if (T == 0) total = 0, most = -2147483647;
  meet();
  asm volatile("red.shared.add.s32 [%0], %1;" ::"r"(shared_address(&total)), "r"(a[T]) : "memory");
  int before;
  asm volatile("atom.relaxed.cta.shared.max.s32 %0, [%1], %2;" : "=r"(before) : "r"(shared_address(&most)), "r"(a[T])
               : "memory");
  meet();
  o[2 * T] = total, o[2 * T + 1] = most + (before > most);
}

KERNEL exchanges(int *o, const int *a) {
  SHARED static int place[64];
  place[T] = T;
  meet();
  int old, lost;
  asm volatile("atom.shared.cas.b32 %0, [%1], %2, %3;" : "=r"(old)
               : "r"(shared_address(&place[T])), "r"(T & ~1), "r"(a[T]) : "memory");
  asm volatile("atom.exch.b32 %0, [%1], %2;" : "=r"(lost) : "l"(&place[T]), "r"(5) : "memory");
  o[2 * T] = old, o[2 * T + 1] = lost;
}

KERNEL vectors(int *o, const int *a) {
  int x, y, z, w;
  asm("ld.global.nc.L1::no_allocate.v4.s32 {%0,%1,%2,%3}, [%4];" : "=r"(x), "=r"(y), "=r"(z), "=r"(w) : "l"(a + 4 * T));
  asm volatile("st.global.cs.v4.s32 [%0], {%1,%2,%3,%4};" ::"l"(o + 4 * T), "r"(w), "r"(z), "r"(y), "r"(x) : "memory");
}

KERNEL bytes(int *o, const int *a) {
  int s, u;
  asm volatile("ld.global.s8 %0, [%1+1];" : "=r"(s) : "l"(a + T));
  asm volatile("ld.global.u8 %0, [%1 + 3];" : "=r"(u) : "l"(a + T));
  asm volatile("st.global.b16 [%0], %1; st.global.b16 [%0+2], %2;" ::"l"(o + T), "h"((short)s), "h"((short)u) : "memory");
}

KERNEL places(int *o, const int *) {
  u32 lane, warp, size, below;
  asm("mov.u32 %0, %%laneid;" : "=r"(lane));
  asm volatile("mov.u32 %0, %%warpid;" : "=r"(warp));
  asm("mov.b32 %0, %%ntid.x;" : "=r"(size));
  asm("{ .reg .b32 m; mov.u32 m, %%lanemask_lt; popc.b32 %0, m; }" : "=r"(below));
  o[4 * T] = lane, o[4 * T + 1] = size, o[4 * T + 2] = below, o[4 * T + 3] = warp < 64;
}

KERNEL integers(int *o, const float *a) {
  short held;
  asm("cvt.rni.s32.f32 %0, %1;" : "=r"(o[5 * T]) : "f"(a[T]));
  asm("cvt.rmi.ftz.s32.f32 %0, %1;" : "=r"(o[5 * T + 1]) : "f"(a[T]));
  asm("cvt.rpi.s32.f32 %0, %1;" : "=r"(o[5 * T + 2]) : "f"(a[T]));
  asm("cvt.rzi.u32.f32 %0, %1;" : "=r"(o[5 * T + 3]) : "f"(a[T]));
  asm("cvt.sat.s16.s32 %0, %1;" : "=h"(held) : "r"((int)(a[T] * 1000)));
  o[5 * T + 4] = held;
}

KERNEL roundings(float *o, const float *a) {
  asm("fma.rn.f32 %0, %1, %2, %3;" : "=f"(o[4 * T]) : "f"(a[T]), "f"(a[T + 64]), "f"(0.1f));
  asm("fma.rz.f32 %0, %1, %2, %3;" : "=f"(o[4 * T + 1]) : "f"(a[T]), "f"(a[T + 64]), "f"(0.1f));
  asm("add.rm.ftz.f32 %0, %1, 0f3DCCCCCD;" : "=f"(o[4 * T + 2]) : "f"(a[T]));
  asm("mul.ftz.rp.f32 %0, %1, %2;" : "=f"(o[4 * T + 3]) : "f"(a[T]), "f"(a[T + 64]));
}

KERNEL extremes(float *o, const float *a) {
  float nan = as_float(0x7fc00000);
  asm("min.f32 %0, %1, %2;" : "=f"(o[4 * T]) : "f"(a[T]), "f"(T % 2 ? nan : 1.f));
  asm("max.NaN.f32 %0, %1, %2;" : "=f"(o[4 * T + 1]) : "f"(a[T]), "f"(T % 2 ? nan : 1.f));
  asm("copysign.f32 %0, %1, %2;" : "=f"(o[4 * T + 2]) : "f"(a[T]), "f"(2.5f));
  asm("{ .reg .f32 f; abs.f32 f, %1; neg.f32 %0, f; }" : "=f"(o[4 * T + 3]) : "f"(a[T]));
}

KERNEL approximations(float *o, const float *a) {
  float x;
  asm("abs.f32 %0, %1;" : "=f"(x) : "f"(a[T]));
  asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(o[4 * T]) : "f"(a[T] * 0.01f));
  asm("lg2.approx.f32 %0, %1;" : "=f"(o[4 * T + 1]) : "f"(x + 1.f));
  asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(o[4 * T + 2]) : "f"(x + 1.f));
  asm("rsqrt.approx.f32 %0, %1;" : "=f"(o[4 * T + 3]) : "f"(x + 1.f));
}

KERNEL choices(int *o, const int *a) {
  asm("{ .reg .pred p, q; setp.lt.and.s32 p|q, %1, 1000, 1; selp.b32 %0, %1, %2, p; @q add.s32 %0, %0, 1; }"
      : "=r"(o[2 * T]) : "r"(a[T]), "r"(-5));
  asm("slct.s32.s32 %0, %1, %2, %3;" : "=r"(o[2 * T + 1]) : "r"(T), "r"(-T), "r"(a[T]));
}

KERNEL loops(int *o, const int *a) {
  int steps = 0, n = (a[T] & 255) + 1;
  asm("{ .reg .pred odd, done; .reg .b32 bit;\n"
      "again_%=: setp.eq.s32 done, %1, 1; @done bra end_%=;\n"
      "and.b32 bit, %1, 1; setp.ne.s32 odd, bit, 0;\n"
      "@odd mad.lo.s32 %1, %1, 3, 1; @!odd shr.s32 %1, %1, 1;\n"
      "add.s32 %0, %0, 1; bra again_%=; end_%=: }"
      : "+r"(steps), "+r"(n));
  o[T] = steps;
}

KERNEL video(int *o, const int *a) {
  asm("vabsdiff4.u32.u32.u32.add %0, %1, %2, %3;" : "=r"(o[2 * T]) : "r"(a[T]), "r"(a[T + 64]), "r"(0));
  asm("vadd2.s32.s32.s32.sat %0, %1, %2, %3;" : "=r"(o[2 * T + 1]) : "r"(a[T]), "r"(a[T + 64]), "r"(0));
}

extern "C" __attribute__((device)) void *malloc(__SIZE_TYPE__);
extern "C" __attribute__((device)) void free(void *);

KERNEL lists(int *o, const int *a) {
  struct Node { Node *next; int value; };
  Node *head = nullptr;
  for (int n = 0; n < 1 + T % 4; ++n) {
    Node *node = (Node *)malloc(sizeof(Node));
    node->next = head, node->value = a[T] >> n, head = node;
  }
  int sum = 0;
  while (head) {
    Node *next = head->next;
    sum = 3 * sum + head->value;
    free(head);
    head = next;
  }
  o[T] = sum;
}

struct Shape {
  __attribute__((device)) virtual int area(int) const = 0;
};
struct Square : Shape {
  __attribute__((device)) int area(int n) const override { return n * n; }
};
struct Strip : Shape {
  int width;
  __attribute__((device)) Strip(int width) : width(width) {}
  __attribute__((device)) int area(int n) const override { return n * width; }
};

KERNEL shapes(int *o, const int *a) {
  Square square;
  Strip strip(T);
  const Shape *volatile shape = a[T] & 1 ? (const Shape *)&square : (const Shape *)&strip;
  o[T] = shape->area(a[T] & 15);
}

KERNEL meetings(int *o, const int *a) {
  SHARED static int held[64];
  int count;
  asm volatile("{ .reg .pred p; setp.gt.s32 p, %1, 0; bar.red.popc.u32 %0, 0, p; }" : "=r"(count) : "r"(a[T]) : "memory");
  held[T] = a[T];
  if (T < 32) {
    asm volatile("barrier.cta.sync.aligned 1, 64;" ::: "memory");
    o[T] = count + held[63 - T];
  } else {
    asm volatile("bar.arrive 1, %0;" ::"n"(64) : "memory");
    o[T] = -count;
  }
}

KERNEL turned(int *o, const int *a) {
  SHARED static __attribute__((aligned(16))) u16 from[64], to[64];
  from[T] = a[T];
  meet();
  if (T >= 32) return;
  u32 held;
  asm volatile("ldmatrix.sync.aligned.m8n8.x1.trans.shared.b16 {%0}, [%1];" : "=r"(held)
               : "r"(shared_address(&from[T % 8 * 8])));
  asm volatile("stmatrix.sync.aligned.m8n8.x1.shared.b16 [%0], {%1};" ::"r"(shared_address(&to[T % 8 * 8])), "r"(held)
               : "memory");
  asm volatile("bar.warp.sync 0xffffffff;" ::: "memory");
  o[2 * T] = to[2 * T], o[2 * T + 1] = to[2 * T + 1];
}

KERNEL messages(int *o, const int *a) {
  SHARED static int flag, data;
  if (T == 0) flag = 0;
  meet();
  if (T == 0) {
    data = a[0];
    asm volatile("st.release.cta.shared.s32 [%0], 1;" ::"r"(shared_address(&flag)) : "memory");
  }
  if (T == 32) {
    int seen;
    do asm volatile("ld.acquire.cta.shared.s32 %0, [%1];" : "=r"(seen) : "r"(shared_address(&flag)) : "memory");
    while (!seen);
    o[0] = data;
  }
}
