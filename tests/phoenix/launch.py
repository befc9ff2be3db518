"""Phoenix's server with every way out closed but loopback. Run by the interpreter of Phoenix's own environment."""

import ipaddress
import sys

from grpc.aio._server import Server


def refuse(event, args):
    """Let no Python socket speak to, or listen for, anything but this machine."""
    if event not in {"socket.connect", "socket.bind"} or not isinstance(args[1], tuple):
        return
    host = args[1][0]
    if host != "localhost" and not ipaddress.ip_address(host).is_loopback:
        raise PermissionError(f"{event} {host}: only loopback is allowed")


def on_loopback(add_port):
    """Phoenix has its gRPC collector listen on [::] whatever it is told, and gRPC's sockets are not Python's."""

    def add(self, address, *rest):
        assert address.startswith("[::]:"), address
        return add_port(self, "127.0.0.1:0", *rest)

    return add


if __name__ == "__main__":
    sys.addaudithook(refuse)
    Server.add_insecure_port = on_loopback(Server.add_insecure_port)
    Server.add_secure_port = on_loopback(Server.add_secure_port)
    from phoenix.server.main import main

    sys.argv = ["phoenix", "serve"]
    sys.exit(main())
