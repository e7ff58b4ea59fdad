"""Python: requests."""

import requests
import steps
from steps import API, KEY, PDF, Response, folio, report


def is_json(response):
    return response.headers["content-type"].startswith("application/json")


def answer(response):
    return Response(response.status_code, response.json() if is_json(response) else None, response.content)


class Client:
    def __init__(self):
        self.session = requests.Session()

    def get(self, url, headers, query):
        return answer(self.session.get(url, headers=headers, params=query))

    def post_json(self, url, headers, value):
        return answer(self.session.post(url, headers=headers, json=value))

    def post_form(self, url, headers, fields, file=None):
        if file is None:
            # Without a file, requests makes multipart of these alone.
            files = {name: (None, value) for name, value in fields.items()}
            return answer(self.session.post(url, headers=headers, files=files))
        with file.open("rb") as opened:
            return answer(self.session.post(url, headers=headers, data=fields, files={"documents[]": opened}))


client = Client()
steps.run(client)

# A body from a generator has no length: it goes in chunks.
files = {"documents[]": (PDF.name, PDF.read_bytes())}
whole = requests.Request("POST", f"{API}/sign", data=folio(), files=files).prepare()
pieces = (whole.body[start : start + 1000] for start in range(0, len(whole.body), 1000))
headers = KEY | {"content-type": whole.headers["content-type"]}
report("create_chunked", answer(client.session.post(f"{API}/sign", headers=headers, data=pieces)))

# A part without a file name.
files = {"documents[]": (None, PDF.read_bytes(), "application/pdf")}
sent = client.session.post(f"{API}/sign", headers=KEY, data=folio(), files=files)
report("create_without_file_name", answer(sent))
