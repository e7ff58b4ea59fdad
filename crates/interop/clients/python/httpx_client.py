"""Python: httpx."""

import httpx
import steps
from steps import API, KEY, PDF, Response, folio, report


def answer(response):
    is_json = response.headers["content-type"].startswith("application/json")
    return Response(response.status_code, response.json() if is_json else None, response.content)


class Client:
    def __init__(self):
        self.client = httpx.Client(timeout=60, trust_env=False)

    def get(self, url, headers, query):
        return answer(self.client.get(url, headers=headers, params=query))

    def post_json(self, url, headers, value):
        return answer(self.client.post(url, headers=headers, json=value))

    def post_form(self, url, headers, fields, file=None):
        if file is None:
            # Without a file, httpx makes multipart of these alone.
            files = {name: (None, value) for name, value in fields.items()}
            return answer(self.client.post(url, headers=headers, files=files))
        with file.open("rb") as opened:
            return answer(self.client.post(url, headers=headers, data=fields, files={"documents[]": opened}))


client = Client()
steps.run(client)

# A body from a generator has no length: it goes in chunks.
files = {"documents[]": (PDF.name, PDF.read_bytes())}
whole = client.client.build_request("POST", f"{API}/sign", data=folio(), files=files)
body = whole.read()
pieces = (body[start : start + 1000] for start in range(0, len(body), 1000))
headers = KEY | {"content-type": whole.headers["content-type"]}
report("create_chunked", answer(client.client.post(f"{API}/sign", headers=headers, content=pieces)))

files = {"documents[]": ("", PDF.read_bytes(), "application/pdf")}
sent = client.client.post(f"{API}/sign", headers=KEY, data=folio(), files=files)
report("create_without_file_name", answer(sent))
