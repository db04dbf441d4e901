"""Korean messages about asynchronous copies, tensor copies, `wgmma`, proxies, mbarriers and dependent grids."""

from __future__ import annotations

from harness.simt.messages.message import Message

__all__ = ["ASYNCHRONOUS"]

_COPYING = "비동기 복사가 진행 중인 메모리의 사용"
_EITHER = "두 값 중 어느 쪽이 남을지 알 수 없습니다"

_MBARRIER = "공유 메모리 배리어 사용 순서 오류"
_PRODUCT = "네 워프의 행렬 곱의 순서 오류"
_TENSOR = "불가능한 텐서 상자 복사"

ASYNCHRONOUS: dict[str, Message] = {
    "async-copy.read": Message(
        _COPYING,
        "복사가 진행 중인 {argument}에 대한 {access}: 이전 값을 얻을 수도, 새 값을 얻을 수도 있습니다",
        "{awaited}",
    ),
    "async-copy.write": Message(
        _COPYING,
        "복사가 진행 중인 {argument}에 대한 {access}: " + _EITHER,
        "쓰기 전에 복사를 기다리세요",
    ),
    "async-copy.source": Message(
        _COPYING,
        "복사가 읽고 있는 {argument}에 대한 {access}: 복사는 이전 값을 가져갈 수도, 새 값을 가져갈 수도 있습니다",
        "쓰기 전에 복사를 기다리세요",
    ),
    "buffer-to-shared.pointer": Message(
        "레인마다 다른 공유 메모리 포인터",
        "공유 메모리로의 복사는 첫 레인의 포인터부터 차례로 쓰지만, 웨이브프런트의 레인들이 다른 포인터를 넘깁니다",
        "웨이브프런트의 모든 레인에 첫 레인의 포인터를 넘기세요: 레인마다 쓰는 위치는 레인 번호로 정해집니다",
    ),
    "async-product.source": Message(
        _PRODUCT,
        "행렬 곱이 읽고 있는 {argument}에 대한 {access}: 행렬 곱은 이전 값을 가져갈 수도, 새 값을 가져갈 수도 있습니다",
        "쓰기 전에 그 행렬 곱의 그룹을 기다리세요(wgmma.wait_group)",
    ),
    "async-product.result": Message(
        _PRODUCT,
        "행렬 곱을 기다리기 전에 그 합의 레지스터를 씁니다. 어떤 값이 들어 있을지 알 수 없습니다",
        "쓰기 전에 그룹을 닫고 기다리세요(wgmma.commit_group, wgmma.wait_group)",
    ),
    "async-product.fence": Message(
        _PRODUCT,
        "레지스터에 쓴 뒤에 행렬 곱이 오도록 하는 것이 없습니다. 행렬 곱은 그 전의 값을 가져갈 수 있습니다",
        "레지스터에 쓰는 곳과 그것을 받는 첫 행렬 곱 사이에 wgmma.fence를 두세요",
    ),
    "async-proxy": Message(
        "스레드가 쓴 메모리를 펜스 없이 비동기로 읽음",
        "{argument}: 대량 복사나 행렬 곱이 읽지만, 스레드가 그곳에 쓴 뒤에 읽도록 하는 펜스가 없습니다. "
        "이전 값을 얻을 수 있습니다",
        "쓴 스레드가 배리어 전에 fence.proxy.async(fence_async_view_proxy)를 부르게 하세요",
    ),
    "tensor-copy.map": Message(
        _TENSOR,
        "{mode} 모드의 {rank}차원 텐서 복사에 준 포인터가 그 모드와 차원의 텐서 맵을 가리키지 않습니다",
        "호스트가 만든 맵(create_tma_tile)을 커널이 받은 그대로 주세요",
    ),
    "tensor-copy.alignment": Message(
        _TENSOR,
        "텐서 복사의 상자가 공유 메모리에서 {granule}바이트의 배수에서 시작하지 않습니다",
        "상자가 놓인 공유 메모리를 정렬하세요",
    ),
    "tensor-copy.place": Message(
        _TENSOR,
        "텐서 복사가 가장 안쪽 좌표 {place}, 곧 텐서의 가장자리에서 {offset}바이트 떨어진 곳에서 시작합니다. "
        "{granule}의 배수가 아니므로 하드웨어는 잘못된 명령으로 끝납니다",
        "가장 안쪽 좌표를 바이트로 따져 그 배수가 되게 하세요",
    ),
    "tensor-copy.negative": Message(
        _TENSOR,
        "텐서 상자를 저장하는 복사가 텐서 앞인 좌표 {place}에서 시작합니다. 읽어 올 때만 그럴 수 있고, "
        "하드웨어는 잘못된 명령으로 끝납니다",
        "음수가 아닌 좌표에서 시작하세요",
    ),
    "tensor-copy.rest": Message(
        "텐서 상자의 복사가 행 뒤에 씀",
        "텐서의 행 끝을 넘는 상자를 저장하면서 행마다 뒤에 {size}바이트를 씁니다. {granule}의 배수까지 쓰기 때문입니다",
        "그곳에 필요한 값을 두지 말거나, 맵의 행을 그 배수로 만드세요",
    ),
    "dependent-grid": Message(
        "앞 그리드가 끝나기 전에 그것이 쓰는 메모리를 사용",
        "앞 그리드가 쓰는 {argument}에 대한 {access}: 이 그리드는 앞 그리드가 끝나기 전에 시작할 수 있습니다",
        "앞 그리드가 쓰는 것을 처음 쓰기 전에 griddepcontrol.wait(wait_on_dependent_grids)를 부르세요",
    ),
    "async-copy.size": Message(
        "크기가 맞지 않는 대량 복사",
        "{size}바이트의 대량 복사: {granule}의 배수만 복사할 수 있습니다",
        "배수만큼 복사하고, 나머지는 다른 방법으로 복사하세요",
    ),
    "async-copy.more": Message(
        "복사 크기보다 많이 읽는 복사",
        "{size}바이트를 비동기로 복사하면서 {given}바이트를 읽으려 합니다",
        "읽는 크기를 복사 크기 이하로 지정하세요. 나머지는 0으로 채워집니다",
    ),
    "fragment-missing": Message(
        "워프의 일부 레인 없이 실행한 행렬 명령",
        "워프의 일부 레인이 행렬 명령에 참여하지 않아, 그 레인이 가진 행렬 원소가 빠집니다",
        "워프의 모든 레인이 함께 도달하게 하세요",
    ),
    "mbarrier.nothing": Message(
        _MBARRIER,
        "{argument}: 배리어가 없는 곳을 배리어로 씁니다. 초기화하지 않았거나, 무효화했거나, 덮어쓴 곳입니다",
        "스레드 하나가 초기화하게 하고, 다른 스레드가 쓰기 전에 배리어를 두세요",
    ),
    "mbarrier.again": Message(
        _MBARRIER,
        "{argument}: 배리어가 이미 있는 곳에 다시 초기화합니다",
        "한 번만 초기화하거나, 먼저 무효화하세요",
    ),
    "mbarrier.count": Message(
        _MBARRIER,
        "{argument}: 배리어의 도착 횟수는 1부터 1048575까지여야 하는데, 지정한 값은 {count}입니다",
        "한 단계의 도착 횟수를 지정하세요",
    ),
    "mbarrier.crowd": Message(
        _MBARRIER,
        "{argument}: 도착 횟수가 {expected}인 배리어에 남은 횟수보다 많이 도착합니다. "
        "아직 {missing}바이트를 기다립니다",
        "단계마다 초기화할 때 지정한 횟수만큼만 도착하게 하세요",
    ),
    "mbarrier.no-end": Message(
        _MBARRIER,
        "{argument}: `noComplete`로 도착했는데 배리어의 한 단계가 끝납니다",
        "`noComplete`를 빼거나, 다른 스레드가 마지막에 도착하게 하세요",
    ),
    "mbarrier.never-ends": Message(
        _MBARRIER,
        "{argument}: 배리어의 한 단계가 끝나지 않습니다. "
        "도착 {expected}번 중 {pending}번, 그리고 {missing}바이트가 모자랍니다",
        "단계마다 초기화할 때 지정한 횟수만큼 도착하게 하세요",
    ),
    "mbarrier.bytes": Message(
        _MBARRIER,
        "{argument}: 배리어의 한 단계가 끝나지 않습니다. 도착 {expected}번은 모두 왔지만, {missing}바이트가 모자랍니다",
        "그 단계의 복사가 가져오는 만큼의 바이트를 기다리게 하세요",
    ),
    "mbarrier.left": Message(
        _MBARRIER,
        "{argument}: 블록이 끝날 때 배리어에 {missing}바이트가 모자랍니다. "
        "복사보다 단계가 먼저 끝났거나, 아무도 기다리지 않았습니다",
        "그 단계의 복사가 가져오는 만큼의 바이트를 기다리게 하세요",
    ),
    "mbarrier.token": Message(
        _MBARRIER,
        "{argument}: 어떤 도착도 돌려주지 않은 값으로 배리어를 기다립니다. 그 값은 단계가 홀수인지만 알려 줍니다",
        "도착이 돌려준 값을 보관하거나, 패리티로 기다리세요",
    ),
    "mbarrier.stale": Message(
        _MBARRIER,
        "{argument}: 바로 전보다 더 앞선 단계의 토큰으로 배리어를 기다립니다",
        "다음 단계가 끝나기 전에 각 단계를 기다리세요",
    ),
}
