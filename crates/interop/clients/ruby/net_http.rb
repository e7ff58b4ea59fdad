# Ruby: Net::HTTP.

require "json"
require "net/http"

API = "/api/integrations"
KEY = { "x-api-key" => ENV["KEY"] }.freeze
WRONG_KEY = { "x-api-key" => "Bearer 0123456789abcdef" }.freeze
PDF = ENV["PDF"]

def folio(file_type = "file", texts = "FOLIO")
  {
    "signers" => ENV["SIGNERS"],
    "folioName" => ENV["#{texts}_NAME"],
    "folioMessage" => ENV["#{texts}_MESSAGE"],
    "signatureType" => "1",
    "urlReturn" => ENV["RETURN_URL"],
    "fileType" => file_type,
    "sendEmail" => "true"
  }
end

# The response's body is in bytes: Net::HTTP leaves the decoding to the program.
def report(step, response)
  File.binwrite(File.join(ENV["OUT"], step), response.body)
  puts JSON.generate(step: step, status: response.code.to_i)
  JSON.parse(response.body.dup.force_encoding("UTF-8")) if response.content_type == "application/json"
end

def get(http, path, headers = KEY)
  http.get("#{API}/#{path}", headers)
end

def post_json(http, path, value)
  http.post(path, JSON.generate(value), KEY.merge("content-type" => "application/json"))
end

def form_request(path, fields, file = nil, headers: KEY, **options)
  request = Net::HTTP::Post.new("#{API}/#{path}", headers)
  parts = fields.to_a
  parts << ["documents[]", File.open(file, "rb"), { content_type: "application/pdf" }.merge(options)] if file
  request.set_form(parts, "multipart/form-data")
  request
end

def post(http, path, fields, file = nil)
  http.request(form_request(path, fields, file))
end

def connect(base, &block)
  uri = URI(base)
  Net::HTTP.start(uri.host, uri.port, nil, &block)
end

connect(ENV["BASE"]) do |http|
  first = report("create_file", post(http, "sign", folio, PDF))["data"]["folioId"]
  document = { name: File.basename(PDF), content: [File.binread(PDF)].pack("m0") }
  base64 = folio("base64").merge("documentsBase64" => JSON.generate([document]))
  second = report("create_base64", post(http, "sign", base64))["data"]["folioId"]
  both = JSON.generate([first, second])
  read = report("read_one", get(http, "consult?folioId=#{first}"))
  document = read["data"]["documents"][0]["documentId"]
  report("read_several_json", post_json(http, "#{API}/consult", { folioId: [first, second] }))
  report("read_several_form", post(http, "consult", { "folios" => both }))
  resend = { "folioId" => first, "signers" => ENV["CORRECTIONS"], "urlReturn" => ENV["RETURN_URL"] }
  report("resend", post(http, "forward_emails", resend))
  report("download_get", get(http, "download?documentId=#{document}"))
  report("download_post", post(http, "download/", { "documentId" => document }))
  bulk = { "foliosIds" => both, "signer" => ENV["BULK_SIGNER"], "urlReturn" => ENV["RETURN_URL"] }
  massive = report("bulk_start", post(http, "massive_sign", bulk))["data"]["massiveId"]
  report("bulk_read", get(http, "consult_massive_sign?massiveId=#{massive}"))
  cancel = { "folios" => JSON.generate([second]), "observation" => ENV["OBSERVATION"] }
  report("cancel", post(http, "cancel", cancel))
  sign = { folioId: first, documentNumber: ENV["NUMBER"], action: "sign" }
  report("sign", post_json(http, "/sandbox/signers", sign))
  report("download_signed", get(http, "download?documentId=#{document}"))
  report("evidence", get(http, "evidence?folioId=#{first}"))
  report("evidence_pdf", get(http, "evidence?folioId=#{first}&format=pdf"))
  report("no_key", get(http, "consult?folioId=#{first}", {}))
  report("wrong_key", get(http, "consult?folioId=#{first}", WRONG_KEY))
  report("create_large", post(http, "sign", folio, ENV["LARGE_PDF"]))

  # A form with its charset: every part without a file says it.
  latin1 = folio("file", "LATIN1").transform_values { |value| value.encode("ISO-8859-1") }
  request = Net::HTTP::Post.new("#{API}/sign", KEY)
  name = ENV["LATIN1_FILE_NAME"].encode("ISO-8859-1")
  file = ["documents[]", File.open(PDF, "rb"), { filename: name, content_type: "application/pdf" }]
  request.set_form(latin1.to_a << ["_charset_", "iso-8859-1"] << file, "multipart/form-data", charset: "ISO-8859-1")
  report("create_latin1", http.request(request))

  report("create_without_file_name", http.request(form_request("sign", folio, PDF, filename: "")))
  request = form_request("sign", folio, PDF)
  request["transfer-encoding"] = "chunked"
  report("create_chunked", http.request(request))
  request = form_request("sign", folio, PDF)
  request["expect"] = "100-continue"
  http.continue_timeout = 60
  report("create_expecting", http.request(request))
end

connect(ENV["DIRECT_BASE"]) do |http|
  report("refused_large", http.request(form_request("sign", folio, ENV["LARGE_PDF"], headers: WRONG_KEY)))
end
