// Go: net/http, with mime/multipart.
package main

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"mime"
	"mime/multipart"
	"net/http"
	"net/textproto"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"time"
)

type fields map[string]string

type answer struct {
	status   int
	body     []byte
	fileName string
}

var (
	api      = os.Getenv("BASE") + "/api/integrations"
	direct   = os.Getenv("DIRECT_BASE") + "/api/integrations"
	key      = os.Getenv("KEY")
	wrongKey = "Bearer 0123456789abcdef"
	pdf      = os.Getenv("PDF")
	large    = os.Getenv("LARGE_PDF")
	client   = &http.Client{Transport: &http.Transport{ExpectContinueTimeout: time.Minute}}
)

func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

func send(request *http.Request, key string) (answer, error) {
	if key != "" {
		request.Header.Set("x-api-key", key)
	}
	response, err := client.Do(request)
	if err != nil {
		return answer{}, err
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	_, parameters, _ := mime.ParseMediaType(response.Header.Get("Content-Disposition"))
	return answer{response.StatusCode, body, parameters["filename"]}, err
}

func get(path, key string, query fields) answer {
	values := url.Values{}
	for name, value := range query {
		values.Set(name, value)
	}
	request := must(http.NewRequest("GET", api+"/"+path+"?"+values.Encode(), nil))
	return must(send(request, key))
}

func postJSON(url string, value any) answer {
	body := bytes.NewReader(must(json.Marshal(value)))
	request := must(http.NewRequest("POST", url, body))
	request.Header.Set("Content-Type", "application/json")
	return must(send(request, key))
}

// form writes the fields and perhaps a file, whose part has these headers.
func form(texts fields, file string, disposition string) (*bytes.Buffer, string) {
	body := &bytes.Buffer{}
	writer := multipart.NewWriter(body)
	for name, value := range texts {
		must(0, writer.WriteField(name, value))
	}
	if file != "" {
		var part io.Writer
		if disposition == "" {
			part = must(writer.CreateFormFile("documents[]", filepath.Base(file)))
		} else {
			part = must(writer.CreatePart(textproto.MIMEHeader{
				"Content-Disposition": {disposition},
				"Content-Type":        {"application/pdf"},
			}))
		}
		must(part.Write(must(os.ReadFile(file))))
	}
	must(0, writer.Close())
	return body, writer.FormDataContentType()
}

func formRequest(url string, body io.Reader, contentType string) *http.Request {
	request := must(http.NewRequest("POST", url, body))
	request.Header.Set("Content-Type", contentType)
	return request
}

func post(path string, texts fields, file string) answer {
	body, contentType := form(texts, file, "")
	return must(send(formRequest(api+"/"+path, body, contentType), key))
}

func folio(fileType string) fields {
	return fields{
		"signers":       os.Getenv("SIGNERS"),
		"folioName":     os.Getenv("FOLIO_NAME"),
		"folioMessage":  os.Getenv("FOLIO_MESSAGE"),
		"signatureType": "1",
		"urlReturn":     os.Getenv("RETURN_URL"),
		"fileType":      fileType,
		"sendEmail":     "true",
	}
}

func text(value any) string {
	return string(must(json.Marshal(value)))
}

// report keeps the body, and returns the `data` of one that is JSON.
func report(step string, given answer) map[string]any {
	must(0, os.WriteFile(filepath.Join(os.Getenv("OUT"), step), given.body, 0o600))
	fmt.Println(text(map[string]any{"step": step, "status": given.status, "fileName": given.fileName}))
	var read struct{ Data map[string]any }
	_ = json.Unmarshal(given.body, &read)
	return read.Data
}

func main() {
	first := report("create_file", post("sign", folio("file"), pdf))["folioId"].(string)
	withBase64 := folio("base64")
	content := base64.StdEncoding.EncodeToString(must(os.ReadFile(pdf)))
	withBase64["documentsBase64"] = text([]fields{{"name": filepath.Base(pdf), "content": content}})
	second := report("create_base64", post("sign", withBase64, ""))["folioId"].(string)
	both := []string{first, second}
	read := report("read_one", get("consult", key, fields{"folioId": first}))
	document := read["documents"].([]any)[0].(map[string]any)["documentId"].(string)
	report("read_several_json", postJSON(api+"/consult", map[string]any{"folioId": both}))
	report("read_several_form", post("consult", fields{"folios": text(both)}, ""))
	resend := fields{"folioId": first, "signers": os.Getenv("CORRECTIONS"), "urlReturn": os.Getenv("RETURN_URL")}
	report("resend", post("forward_emails", resend, ""))
	report("download_get", get("download", key, fields{"documentId": document}))
	report("download_post", post("download/", fields{"documentId": document}, ""))
	bulk := fields{"foliosIds": text(both), "signer": os.Getenv("BULK_SIGNER"), "urlReturn": os.Getenv("RETURN_URL")}
	massive := report("bulk_start", post("massive_sign", bulk, ""))["massiveId"].(string)
	report("bulk_read", get("consult_massive_sign", key, fields{"massiveId": massive}))
	cancel := fields{"folios": text([]string{second}), "observation": os.Getenv("OBSERVATION")}
	report("cancel", post("cancel", cancel, ""))
	sign := fields{"folioId": first, "documentNumber": os.Getenv("NUMBER"), "action": "sign"}
	report("sign", postJSON(os.Getenv("BASE")+"/sandbox/signers", sign))
	report("download_signed", get("download", key, fields{"documentId": document}))
	report("evidence", get("evidence", key, fields{"folioId": first}))
	report("evidence_pdf", get("evidence", key, fields{"folioId": first, "format": "pdf"}))
	report("no_key", get("consult", "", fields{"folioId": first}))
	report("wrong_key", get("consult", wrongKey, fields{"folioId": first}))
	report("create_large", post("sign", folio("file"), large))
	body, contentType := form(folio("file"), large, "")
	report("refused_large", must(send(formRequest(direct+"/sign", body, contentType), wrongKey)))

	body, contentType = form(folio("file"), pdf, "")
	expecting := formRequest(api+"/sign", body, contentType)
	expecting.Header.Set("Expect", "100-continue")
	report("create_expecting", must(send(expecting, key)))
	body, contentType = form(folio("file"), pdf, "")
	// A reader of another kind has no length: it goes in chunks.
	chunked := formRequest(api+"/sign", io.MultiReader(body), contentType)
	report("create_chunked", must(send(chunked, key)))
	body, contentType = form(folio("file"), pdf, `form-data; name="documents[]"; filename=""`)
	report("create_without_file_name", must(send(formRequest(api+"/sign", body, contentType), key)))
	extended := "form-data; name=\"documents[]\"; filename*=UTF-8''" +
		strings.ReplaceAll(url.QueryEscape(filepath.Base(pdf)), "+", "%20")
	body, contentType = form(folio("file"), pdf, extended)
	report("create_extended_file_name", must(send(formRequest(api+"/sign", body, contentType), key)))
	body, contentType = form(folio("file"), large, "")
	expecting = formRequest(direct+"/sign", body, contentType)
	expecting.Header.Set("Expect", "100-continue")
	report("refused_expecting", must(send(expecting, wrongKey)))
}
