"""Who is spoken to: nobody on another machine without TLS, and no scheduler that others can reach."""

from __future__ import annotations

import socket
import subprocess
import sys
from contextlib import suppress
from threading import Thread

import pytest

from harness.cli.main import main
from harness.cluster import connect
from harness.errors import EnvironmentFault, UsageError
from harness.model import exit_code
from tests.cluster.certificates import certificates
from tests.cluster.farm import Farm
from tests.processes import comes_to

dask = pytest.mark.skipif(not connect.find_spec("distributed"), reason="needs Dask: the extra `cluster`")


@pytest.mark.parametrize(
    "address", ["tcp://127.0.0.1:8786", "tcp://[::1]:8786", "tcp://localhost:8786", "tls://203.0.113.5:8786"]
)
def test_this_machine_and_tls_are_safe(address):
    assert connect.check_address(address) == address


@pytest.mark.parametrize(
    "address", ["tcp://203.0.113.5:8786", "tcp://0.0.0.0:8786", "tcp://[::]:8786", "tcp://10.0.0.1:8786"]
)
def test_another_machine_without_tls_is_refused(address):
    with pytest.raises(UsageError, match=r"without TLS whoever reaches a scheduler runs code as you: use tls://"):
        connect.check_address(address)


@pytest.mark.parametrize("address", ["", "127.0.0.1:8786", "tcp://127.0.0.1", "http://127.0.0.1:80", "tcp://:8786"])
def test_what_is_no_address_is_told(address):
    with pytest.raises(UsageError, match="is no scheduler"):
        connect.check_address(address)


def test_a_host_that_is_not_there_is_told():
    with pytest.raises(EnvironmentFault, match=r"there is no host 'nowhere.invalid'"):
        connect.check_address("tcp://nowhere.invalid:8786")


@pytest.mark.parametrize("own", ["tcp://127.0.0.1:1", "tls://10.0.0.7:1"])
def test_a_scheduler_that_only_its_own_can_reach_is_trusted(own):
    connect.require_private("tcp://127.0.0.1:1", {"address": own})


def test_one_that_is_reached_over_loopback_and_listens_to_everybody_is_refused():
    with pytest.raises(UsageError, match=r"listens on tcp://10\.0\.0\.7:8786, and .* start it with `--host 127.0.0.1`"):
        connect.require_private("tcp://127.0.0.1:8786", {"address": "tcp://10.0.0.7:8786"})


@dask
@pytest.mark.slow
def test_workers_and_clients_refuse_a_scheduler_that_is_open_to_others(tmp_path, capfd):
    with Farm(tmp_path, settings={"DASK_DISTRIBUTED__SCHEDULER__PRELOAD": "tests.cluster.open_scheduler"}) as farm:
        farm.scheduler()
        worker = farm.worker("worker", "--simulators", "1")
        (tmp_path / "people" / "ann").mkdir(parents=True)
        assert comes_to(lambda: "Scheduler at" in farm.log("scheduler"))
        words = ["--scheduler", farm.address, "--out", str(tmp_path / "out")]

        assert main(["grade", str(tmp_path / "people"), *words]) == exit_code.USAGE
        assert "listens on tcp://203.0.113.1:8786" in capfd.readouterr().err
        assert worker.wait(60) == exit_code.USAGE
        assert "listens on tcp://203.0.113.1:8786" in farm.log("worker")


@dask
def test_tls_without_certificates_names_the_variables(monkeypatch):
    with pytest.raises(UsageError, match=r"set DASK_DISTRIBUTED__COMM__TLS__CA_FILE, .*WORKER__CERT, .*WORKER__KEY"):
        connect.load_security("tls://203.0.113.5:8786", "worker")


@dask
def test_certificates_that_cannot_be_read_are_told(tmp_path, monkeypatch):
    import dask
    import distributed  # its own settings would go when those below are taken back

    assert distributed.Security
    (tmp_path / "ca.pem").write_text("nothing")
    with (
        dask.config.set(certificates(tmp_path, make=False)),
        pytest.raises(UsageError, match=r"cannot be used: .* \(.*ca\.pem, .*\)\.$"),
    ):
        connect.load_security("tls://203.0.113.5:8786", "client")


@dask
def test_settings_that_dask_refuses_are_reported():
    import dask

    with (
        dask.config.set({"distributed.comm.tls.min-version": 1.1}),
        pytest.raises(UsageError, match=r"settings of encryption cannot be used: .*min-version=1\.1 is not supported"),
    ):
        connect.load_security("tls://203.0.113.5:8786", "client")


@dask
@pytest.mark.parametrize(
    ("closes", "why"),
    [pytest.param(False, "does not answer", marks=pytest.mark.slow), (True, "hangs up: .*")],
)
def test_another_program_is_no_scheduler_and_not_waited_for(monkeypatch, closes, why):
    import distributed.core  # imported before the clock runs

    assert distributed.core.rpc
    monkeypatch.setattr(connect, "SECONDS", 30.0 if closes else 1.0)
    with socket.create_server((connect.LOOPBACK, 0)) as server:

        def hang_up():
            with suppress(OSError):  # the test is over
                while True:
                    server.accept()[0].close()

        if closes:
            Thread(target=hang_up, daemon=True).start()
        address = f"tcp://{connect.LOOPBACK}:{server.getsockname()[1]}"
        with pytest.raises(EnvironmentFault, match=rf"there is no scheduler at {address} \(what listens .*, {why}\)"):
            connect.connect_client(address, 0.0)


@dask
@pytest.mark.parametrize(
    "words", [["worker", "tcp://127.0.0.1:1"], ["grade", ".", "--out", "o", "--scheduler", "local"]]
)
def test_without_dask_the_message_says_what_to_install(words, monkeypatch, capsys):
    monkeypatch.setattr(connect, "find_spec", lambda name: None)

    assert main(words) == exit_code.ENVIRONMENT
    assert "`pip install .[cluster]`" in capsys.readouterr().err


@pytest.mark.slow
def test_no_other_command_imports_dask():
    program = (
        "import sys; from harness.cli import parser, grade, running; parser.make_parser(); "
        "import harness.cluster.orders, harness.cluster.tasks, harness.cluster.worker, harness.cluster.member; "
        "sys.exit('dask' in sys.modules or 'distributed' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", program]).returncode == 0
