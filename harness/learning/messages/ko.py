"""The messages of the learners' commands (next, watch, hint and others) in Korean, by id, each with a title."""

from __future__ import annotations

from harness.simt.messages.message import Message

__all__ = ["MESSAGES", "TERMS"]

MESSAGES: dict[str, Message] = {
    # Where one is, and what is next.
    "learn.count": Message(
        "현재 위치", "퍼즐 {total}개 중 {solved}개, 세부 퍼즐 {all_modes}개 중 {modes}개를 풀었습니다."
    ),
    "learn.mode": Message(
        "세부 퍼즐이란", "세부 퍼즐은 한 퍼즐에서 따로 검사하는 커널 하나, 또는 함께 쓰이는 커널 몇 개입니다."
    ),
    "learn.next": Message("다음 퍼즐", "다음: {case}, {title}"),
    "learn.builds": Message("앞서 배운 것", "  바탕 퍼즐:  {puzzles}"),
    "learn.builds-open": Message("앞서 배운 것", "  바탕 퍼즐:  {puzzles} (아직 풀지 않음: {open})"),
    "learn.place": Message("작성할 곳", "  작성할 곳:  {place}"),
    "learn.mend": Message("틀린 곳이 있는 코드", "  고칠 코드:  {place}"),
    "learn.complete": Message("실행할 것", "  읽을 코드:  {place}"),
    "learn.predict": Message("예측할 것", "  예측할 곳:  {place}"),
    "learn.lesson": Message("읽을 것", "  설명:       {file}"),
    "learn.commands": Message(
        "할 수 있는 일", "`puzzles watch`: 저장할 때마다 검사, `puzzles hint`: 힌트, `puzzles check`: 지금 검사."
    ),
    "learn.all-solved": Message(
        "모두 해결", "모두 풀었습니다. `puzzles claims`로 각 커널이 지켜야 할 약속을 볼 수 있습니다."
    ),
    "learn.here-solved": Message(
        "여기 있는 것은 모두 해결",
        "여기 있는 퍼즐을 모두 풀었습니다. 다음은 {number}부({title})입니다: `puzzles start --part {number}`",
    ),
    "learn.no-workspace": Message(
        "작업 폴더 없음",
        "여기에는 작업 폴더가 없습니다. "
        "`puzzles start`로 모든 퍼즐을, `puzzles start --part 1`로 한 부만 받을 수 있습니다"
        "(부는 `puzzles list`에서 볼 수 있습니다). "
        "작업 폴더 안에서 `puzzles`를 실행하면 다음에 할 일을 알려 줍니다.",
    ),
    "learn.needs-workspace": Message(
        "작업 폴더 없음",
        "여기에는 작업 폴더가 없습니다. "
        "`puzzles start`로 만든 뒤 `cd puzzles`로 이동하세요(이미 있다면 그 폴더로 이동하세요).",
    ),
    "learn.taken": Message("여러 세부 퍼즐 중 하나", "{case}입니다. 아직 풀지 않은 첫 번째 세부 퍼즐입니다."),
    "learn.which-puzzle": Message(
        "어느 퍼즐의 파일인지 알 수 없음",
        "{file}: 이름으로는 어느 퍼즐인지 알 수 없습니다. `puzzles check 퍼즐 --file {file}`처럼 퍼즐을 함께 쓰세요.",
    ),
    "learn.file-of-one": Message(
        "파일 하나에 퍼즐 여럿", "--file에는 한 퍼즐의 파일을 씁니다. {puzzles} 중 하나만 쓰세요."
    ),
    "learn.not-own": Message(
        "작업 폴더의 퍼즐 파일이 아님",
        "{file}: 이 작업 폴더의 퍼즐 파일이 아닙니다. `puzzles check --file {file}`으로/로 검사하세요.",
    ),
    "learn.renamed": Message(
        "예전 이름", "`{old}`의 이름이 `{new}`으로/로 바뀌었습니다. 예전 이름은 다음 릴리스에서 없어집니다."
    ),
    "learn.no-case": Message("할 일 없음", "작업 폴더에 퍼즐이 없습니다. `puzzles start`로 받으세요."),
    # A check.
    "learn.solved": Message("해결", "{case} 해결!"),
    "learn.counts-with": Message(
        "두 부분으로 된 퍼즐", "{case}, {others}: 합쳐서 한 퍼즐이며, 모두 풀어야 한 퍼즐을 푼 것으로 셉니다."
    ),
    "learn.solved-again": Message("여전히 맞음", "{case}: 여전히 맞습니다."),
    "learn.stuck": Message("아직 틀림", "아직 맞지 않습니다. `puzzles hint {case}`으로/로 힌트를 볼 수 있습니다."),
    "learn.picture": Message(
        "스레드가 한 일",
        "스레드가 한 일은 `puzzles show {case}`에서 그림으로, `puzzles trace {case}`에서 글로 볼 수 있습니다.",
    ),
    "learn.data-seed": Message(
        "데이터", "이 데이터는 이번 검사만을 위해 새로 뽑은 것입니다. 다시 뽑으려면: `--data-seed {seed}`"
    ),
    "learn.unseen": Message(
        "GPU에서 보이지 않는 것",
        "GPU에서는 경쟁이나 쓰지 않은 메모리 읽기가 드러나지 않을 수 있습니다. "
        "`puzzles check {case} --backend simulator`로 확인하세요.",
    ),
    "learn.assertions": Message(
        "단언", "Mojo는 기본적으로 `debug_assert`를 컴파일하지 않습니다. `--assertions`를 붙이면 포함합니다."
    ),
    # The watch.
    "learn.watching": Message("지켜보는 중", "{folder} 폴더를 지켜봅니다. 파일을 저장하면 검사합니다."),
    "learn.watching-alone": Message("지켜보는 중", "{case}만 지켜봅니다. 파일을 저장하면 검사합니다."),
    "learn.no-other": Message(
        "지켜볼 다른 퍼즐 없음",
        "여기서는 {case}만 지켜보며 모두 풀었습니다. `puzzles watch`는 모든 퍼즐을 지켜봅니다.",
    ),
    "learn.interrupt": Message("끝내는 법", "끝내려면 Ctrl-C를 누르세요."),
    "learn.keys": Message("키", "키: h 힌트, n 다음 퍼즐, l 목록, p 페이지, q 끝내기."),
    "learn.page": Message("페이지", "이 컴퓨터의 브라우저에서 여세요: {address}"),
    "learn.polling": Message(
        "주기적으로 확인", "이 드라이브는 변경을 알려 주지 않으므로, {milliseconds} ms마다 파일을 확인합니다."
    ),
    "learn.no-watch": Message(
        "지켜볼 수 없음",
        "`puzzles watch`에는 `{package}` 패키지가 필요하지만 여기에 없습니다: `pip install {package}`.",
    ),
    "learn.checked": Message("검사 시각", "[{time}] {case}, {seconds}초"),
    "learn.gone": Message(
        "파일 없음", "{file} 파일이 없습니다. `puzzles start {puzzle}`으로/로 다시 받을 수 있습니다."
    ),
    # Hints and solutions.
    "learn.hint": Message("힌트", "{case}, 힌트 {number}/{total}: {title}"),
    "learn.last-hint": Message(
        "마지막 힌트", "마지막 힌트입니다. `puzzles solution {case}`으로/로 풀이를 볼 수 있습니다."
    ),
    "learn.more-hints": Message("다음 힌트", "힌트가 더 있습니다. `puzzles hint {case}`을/를 다시 실행하세요."),
    "learn.no-hints": Message("힌트 없음", "{case}: 설명에 힌트가 없습니다."),
    "learn.no-hints-builds": Message(
        "힌트 없음", "{case}: 설명에 힌트가 없습니다. 바탕이 되는 퍼즐을 다시 살펴보세요: {puzzles}."
    ),
    "learn.confirm": Message("확인", "{case}의 풀이를 볼까요? 작성한 파일은 바뀌지 않습니다. [y/N] "),
    "learn.not-shown": Message(
        "보여 주지 않음", "풀이를 보여 주지 않았습니다. `puzzles hint {case}`으로/로 힌트를 볼 수 있습니다."
    ),
    "learn.needs-yes": Message(
        "물어볼 수 없음", "여기서는 물어볼 수 없습니다. `puzzles {command} --yes`로 풀이를 볼 수 있습니다."
    ),
    # Beginning anew.
    "learn.reset": Message("처음으로", "{file} 파일을 처음 상태로 되돌렸습니다. 작성했던 내용은 {copy}에 있습니다."),
    "learn.untouched": Message("되돌릴 것 없음", "{file} 파일은 처음 상태 그대로입니다. 되돌릴 것이 없습니다."),
    # Progress.
    "learn.kept-aside": Message(
        "진행 기록을 읽을 수 없음", "{file} 파일을 읽을 수 없어 {copy}에 보관하고, 진행 기록을 새로 시작합니다."
    ),
    "learn.not-noted": Message(
        "진행 기록을 쓸 수 없음", "진행 기록을 남기지 못했습니다. {file}에 쓸 수 없습니다({reason})."
    ),
    "learn.part": Message("부의 제목", "{number}부: {title}"),
    "learn.part-solved": Message("부의 제목", "{number}부: {title} (퍼즐 {total}개 중 {solved}개 해결)"),
    "learn.heads": Message("목록의 제목 줄", "퍼즐 | 제목 | 바탕 퍼즐 | 제조사 | 상태"),
    "learn.short-solved": Message("해결", "해결"),
    "learn.short-open": Message("진행 중", "작성 중"),
    "learn.row": Message("진행 기록의 한 줄", "{case:20} {state}"),
    "learn.state-solved": Message("해결", "해결({day}), 시도 {tries}번, 힌트 {hints}개"),
    "learn.state-shown": Message("풀이를 보고 해결", "해결({day}), 시도 {tries}번, 힌트 {hints}개, 풀이를 봄"),
    "learn.state-open": Message("진행 중", "작성 중, 아직 맞지 않음, 시도 {tries}번, 힌트 {hints}개"),
    "learn.state-unchecked": Message("작성했으나 검사 전", "작성 중, 아직 검사하지 않음, 힌트 {hints}개"),
    "learn.state-untouched": Message("시작 전", "아직 채우지 않음"),
    "learn.state-unbegun": Message("시작 전", "아직 시작하지 않음"),
    "learn.state-unpredicted": Message("예측 전", "아직 예측하지 않음"),
    "learn.state-missing": Message("작업 폴더에 없음", "없음: `puzzles start {puzzle}`으로/로 받으세요"),
    # A workspace.
    "learn.started": Message("작업 폴더", "이제 {go}{file}을/를 채우고 `puzzles watch`를 실행하세요."),
    "learn.started-lesson": Message(
        "첫 설명", "설명은 {file}에 있습니다. 다음에 할 일은 `puzzles next`로 볼 수 있습니다."
    ),
    "learn.added": Message("추가한 것", "{folder} 폴더에 추가한 퍼즐: {puzzles}."),
    "learn.go": Message("이동", "`cd {folder}`으로/로 이동해 "),
    "learn.on-purpose": Message(
        "일부러 실패", "채우기 전에는 대부분 실패합니다. 표시된 부분을 채우는 것이 과제입니다."
    ),
    "learn.has-these": Message(
        "추가할 것 없음",
        "{folder} 폴더에 {puzzles} 퍼즐이 이미 있고, 아무것도 덮어쓰지 않습니다. "
        "`puzzles reset 퍼즐`로 처음부터 시작하세요.",
    ),
    "learn.has-all": Message(
        "추가할 것 없음",
        "{folder} 폴더에 모든 퍼즐이 이미 있고, 아무것도 덮어쓰지 않습니다. "
        "`puzzles reset 퍼즐`로 처음부터 시작하세요.",
    ),
}

TERMS: dict[str, dict[str, str]] = {}
