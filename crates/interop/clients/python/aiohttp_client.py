"""Python: aiohttp."""

import asyncio

import aiohttp
import steps
from steps import API, KEY, PDF, Response, folio, report


def form(fields, **options):
    data = aiohttp.FormData(default_to_multipart=True, **options)
    for name, value in fields.items():
        data.add_field(name, value)
    return data


def form_with_file(file, file_name, **options):
    data = form(folio(), **options)
    data.add_field("documents[]", file.read_bytes(), filename=file_name, content_type="application/pdf")
    return data


class Client:
    def __init__(self, loop):
        self.loop = loop
        self.session = loop.run_until_complete(self.open())

    async def open(self):
        return aiohttp.ClientSession()

    async def send(self, method, url, **more):
        async with self.session.request(method, url, **more) as response:
            is_json = response.content_type == "application/json"
            content = await response.read()
            return Response(response.status, await response.json() if is_json else None, content)

    def request(self, method, url, **more):
        return self.loop.run_until_complete(self.send(method, url, **more))

    def get(self, url, headers, query):
        return self.request("GET", url, headers=headers, params=query)

    def post_json(self, url, headers, value):
        return self.request("POST", url, headers=headers, json=value)

    def post_form(self, url, headers, fields, file=None):
        data = form(fields)
        if file is not None:
            data.add_field("documents[]", file.open("rb"), filename=file.name, content_type="application/pdf")
        return self.request("POST", url, headers=headers, data=data)


loop = asyncio.new_event_loop()
client = Client(loop)
steps.run(client)

url = f"{API}/sign"
report("create_expecting", client.request("POST", url, headers=KEY, data=form_with_file(PDF, PDF.name), expect100=True))
report("create_chunked", client.request("POST", url, headers=KEY, data=form_with_file(PDF, PDF.name), chunked=True))
report("create_without_file_name", client.request("POST", url, headers=KEY, data=form_with_file(PDF, "")))
# By default aiohttp percent-encodes names.
raw = form_with_file(PDF, PDF.name, quote_fields=False)
report("create_raw_file_name", client.request("POST", url, headers=KEY, data=raw))
loop.run_until_complete(client.session.close())
