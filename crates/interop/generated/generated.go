// Every kind of operation through the Go client that openapi-generator generates.
package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"

	"firmeza"
)

const back = "https://cliente.example.com/gracias"
const signer = `{"name":"María Pérez","email":"maria@example.com","documentType":"CC","documentNumber":"1001","cellPhoneNumber":"3001234567"}`

func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

func check(holds bool, seen any) {
	if !holds {
		panic(fmt.Sprint(seen))
	}
}

func main() {
	configuration := firmeza.NewConfiguration()
	configuration.Servers = firmeza.ServerConfigurations{{URL: os.Getenv("BASE")}}
	configuration.AddDefaultHeader("x-api-key", os.Getenv("KEY"))
	client := firmeza.NewAPIClient(configuration)
	ctx := context.Background()
	pdf := must(os.ReadFile(os.Getenv("PDF")))

	created, _, err := client.FoliosAPI.CreateFolio(ctx).Signers("[" + signer + "]").FolioName("Nómina ✍").
		FolioMessage("Por favor firme.").SignatureType(firmeza.CODE_BY_EMAIL).UrlReturn(back).FileType("file").
		SendEmail("false").Documents([]*os.File{must(os.Open(os.Getenv("PDF")))}).Execute()
	folio := must(created, err).Data.FolioId
	detail, _, err := client.FoliosAPI.ReadFolio(ctx).FolioId(folio).Execute()
	check(must(detail, err).Data.FolioData.Name == "Nómina ✍", detail)
	several, _, err := client.FoliosAPI.ReadFolios(ctx).ReadFoliosRequest(*firmeza.NewReadFoliosRequest([]string{folio})).Execute()
	check(must(several, err).Data[0].Success, several)
	resent, _, err := client.FoliosAPI.ResendEmails(ctx).FolioId(folio).Signers(`[{"documentNumber":"1001"}]`).UrlReturn(back).Execute()
	check(must(resent, err).Success, resent)
	file, _, err := client.FoliosAPI.DownloadDocument(ctx).DocumentId(detail.Data.Documents[0].DocumentId).Execute()
	saved := must(io.ReadAll(must(file, err)))
	check(bytes.Equal(saved, pdf), len(saved))
	bulk, _, err := client.FirmaMasivaAPI.StartBulk(ctx).FoliosIds(`["` + folio + `"]`).Signer("[" + signer + "]").UrlReturn(back).Execute()
	massive := must(bulk, err).Data.MassiveId
	read, _, err := client.FirmaMasivaAPI.ReadBulk(ctx).MassiveId(massive).Execute()
	check(must(read, err).Data[0].FolioData.FolioId == folio, read)
	cancelled, _, err := client.FoliosAPI.CancelFolios(ctx).Folios(`["` + folio + `"]`).Observation("Se cancela por error.").Execute()
	check(must(cancelled, err).Data.CancelledFolios == 1, cancelled)
	fmt.Println(folio)
}
