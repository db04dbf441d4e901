"""Table of `AsyncRT_` functions that the simulated device lacks, and what each is for, such as device graphs."""

from __future__ import annotations

__all__ = ["MISSING"]

_GROUPS = {
    "device graphs": """
        DeviceContext_createGraphBuilder DeviceContext_createGraphBuilderWithPool DeviceContext_createGraphMemoryPool
        DeviceContext_reseedRecording DeviceGraphBuilder_addCopyDeviceToDevice DeviceGraphBuilder_addCopyDeviceToHost
        DeviceGraphBuilder_addCopyHostToDevice DeviceGraphBuilder_addEmpty DeviceGraphBuilder_addFunctionDirect
        DeviceGraphBuilder_addInPlaceInput DeviceGraphBuilder_addInput DeviceGraphBuilder_addOutput
        DeviceGraphBuilder_addSetMemory DeviceGraphBuilder_addStableAssignment DeviceGraphBuilder_instantiate
        DeviceGraphBuilder_lastNodeIdOrNone DeviceGraphBuilder_numInputs DeviceGraphBuilder_numOutputs
        DeviceGraphBuilder_recordingContext DeviceGraphBuilder_release DeviceGraphBuilder_retain
        DeviceGraphMemoryPool_release DeviceGraphMemoryPool_retain DeviceGraph_createBuffer
        DeviceGraph_patchStableAddresses DeviceGraph_release DeviceGraph_replay DeviceGraph_retain
    """,
    "memory of several devices at once": """
        DeviceMulticastBuffer_allocate DeviceMulticastBuffer_multicastBufferFor DeviceMulticastBuffer_unicastBufferFor
    """,
    "handles of the vendor's own driver": """
        DeviceContext_createExternalStream DeviceContext_cuda_context DeviceContext_cuda_current_context
        DeviceContext_hip_device DeviceContext_metal_device DeviceContext_startMetalTraceCapture
        DeviceContext_stopMetalTraceCapture DeviceFunction_cuda_module DeviceFunction_hip_module
        DeviceStream_cuda_stream DeviceStream_hip_stream
    """,
    "MAX's own runtime, not Mojo programs": """
        AsyncValue_createFromDeviceBuffer AsyncValue_release AsyncValue_retain AsyncValue_retainBufferStorage
        AsyncValue_takeHandle CompletionFlag_devicePtr DeviceContext_loadFunctionWithDebugName
        DeviceContext_waitForEvent DeviceStream_enqueueWaitOnHostValue
    """,
}
# What each is for, by its name without the prefix.
MISSING: dict[str, str] = {name: group for group, names in _GROUPS.items() for name in names.split()}
