//! The file of a person's data: a ZIP with texts in Spanish.

use super::PersonFolio;
use crate::Error;
use domain::{FolioState, Language, SignerState, Timestamp};
use jiff::tz::TimeZone;
use serde_json::{Value, json};
use std::io::{Cursor, Write};
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipWriter};

/// A ZIP file in memory. The documents in it are compressed already: nothing is compressed again.
pub(super) struct Bundle(ZipWriter<Cursor<Vec<u8>>>);

impl Default for Bundle {
    fn default() -> Self {
        Self(ZipWriter::new(Cursor::default()))
    }
}

impl Bundle {
    pub(super) fn add(&mut self, path: &str, bytes: &[u8]) -> Result<(), Error> {
        let stored = SimpleFileOptions::default().compression_method(CompressionMethod::Stored);
        let broken = |error: std::io::Error| Error::Internal(error.into());
        let started = self.0.start_file(path, stored);
        started.map_err(|error| Error::Internal(error.into()))?;
        self.0.write_all(bytes).map_err(broken)
    }

    pub(super) fn add_json(&mut self, path: &str, value: &Value) -> Result<(), Error> {
        let text = serde_json::to_string_pretty(value).map_err(|error| Error::Internal(error.into()))?;
        self.add(path, text.as_bytes())
    }

    pub(super) fn finish(self) -> Result<Vec<u8>, Error> {
        let finished = self.0.finish().map_err(|error| Error::Internal(error.into()))?;
        Ok(finished.into_inner())
    }
}

/// What the rows say of the folio and of the person as its signer, who chose that language for messages.
pub(super) fn folio_facts(folio: &PersonFolio, language: Option<Language>, zone: &TimeZone) -> Value {
    let signer = &folio.stored.folio[folio.signer_index];
    let folio = &folio.stored.folio;
    let at = |at: Option<Timestamp>| at.map(|at| time(at, zone));
    json!({
        "id": folio.id.to_string(),
        "nombre": folio.name.as_str(),
        "mensaje": folio.message.as_str(),
        "estado": folio_state(folio.state),
        "creado": time(folio.created_at, zone),
        "ultimo_cambio": at(folio.updated_at),
        "retirado": folio.dropped,
        "retencion_legal": folio.held,
        "firmante": {
            "nombre": signer.name.as_str(),
            "tipo_de_documento": signer.document_type.code(),
            "numero_de_documento": signer.document_number.as_str(),
            "correo": signer.contact.email.as_str(),
            "celular": signer.contact.mobile.as_str(),
            "idioma_elegido": language.map(Language::code),
            "estado": signer_state(signer.state),
            "fecha_del_acto": at(signer.updated_at.filter(|_| signer.state != SignerState::Pending)),
            "direccion_ip": signer.signed_from.map(|address| address.to_string()),
        },
    })
}

/// A point in time in that zone.
pub(super) fn time(at: Timestamp, zone: &TimeZone) -> String {
    let at = jiff::Timestamp::from_microsecond(at.as_micros()).unwrap_or(jiff::Timestamp::UNIX_EPOCH);
    at.to_zoned(zone.clone())
        .strftime("%Y-%m-%d %H:%M:%S %:z")
        .to_string()
}

/// What the bundle says about itself.
pub(super) fn read_me(more: bool) -> String {
    let more = if more {
        "\nHay más folios anteriores: pida la parte siguiente en el panel.\n"
    } else {
        ""
    };
    format!(
        "Datos personales de un titular\n\
         \n\
         datos.json        sus datos en cada folio: nombre, documento, contactos, idioma, estado y fechas;\n\
         \u{20}                  y los que hay en borradores y en búsquedas guardadas del panel\n\
         folios/…/*.pdf    los documentos de cada folio, con las firmas que tienen\n\
         folios/…/constancia.pdf      qué ocurrió con el folio, en palabras\n\
         folios/…/evidencia-1.json    lo mismo con el historial completo y sellado\n\
         \n\
         Los contactos y números de los demás firmantes aparecen ocultos.\n{more}"
    )
}

const fn folio_state(state: FolioState) -> &'static str {
    match state {
        FolioState::Pending => "PENDIENTE",
        FolioState::Signed => "FIRMADO",
        FolioState::RejectedBySigner => "RECHAZADO FIRMANTE",
        FolioState::Approved => "FIRMADO Y APROBADO",
        FolioState::Disapproved => "RECHAZADO GESTIÓN / ADMINISTRADOR",
        FolioState::Cancelled => "ANULADO",
    }
}

const fn signer_state(state: SignerState) -> &'static str {
    match state {
        SignerState::Pending => "pendiente",
        SignerState::Signed => "firmó",
        SignerState::Rejected => "rechazó",
    }
}
