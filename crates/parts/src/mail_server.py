"""A mail server for tests: STARTTLS and a password are asked for; what it takes is written down, a line each."""

import asyncio
import json
import ssl
import sys

from aiosmtpd.smtp import SMTP, AuthResult

port, private_port, certificate, key, user, password, taken = sys.argv[1:]


class Handler:
    async def handle_DATA(self, server, session, envelope):
        line = {
            "from": envelope.mail_from,
            "to": envelope.rcpt_tos,
            "tls": session.ssl is not None or server.transport.get_extra_info("sslcontext") is not None,
            "user": session.authenticated,
            "data": envelope.content.decode("utf-8"),
        }
        with open(taken, "a", encoding="utf-8") as file:
            file.write(json.dumps(line) + "\n")
        return "250 2.0.0 taken"


def authenticate(server, session, envelope, mechanism, data):
    right = data.login == user.encode() and data.password == password.encode()
    return AuthResult(success=right, handled=False)


async def main():
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, key)

    def talk(**tls):
        return SMTP(
            Handler(),
            hostname="localhost",
            enable_SMTPUTF8=True,
            authenticator=authenticate,
            auth_required=True,
            **tls,
        )

    def after_starttls():
        return talk(tls_context=context, require_starttls=True)

    def from_the_start():
        return talk(auth_require_tls=False)

    loop = asyncio.get_running_loop()
    await loop.create_server(from_the_start, "localhost", int(private_port), ssl=context)
    server = await loop.create_server(after_starttls, "localhost", int(port))
    async with server:
        await server.serve_forever()


asyncio.run(main())
