//! The texts around the chapters.

use crate::page::panel_texts;

panel_texts! {
    docs_title: "Guía de integración", "Integration guide";
    docs_skip: "Ir al contenido", "Skip to the content";
    docs_chapters: "Capítulos", "Chapters";
    docs_on_this_page: "En esta página", "On this page";
    docs_search: "Buscar en la guía", "Search the guide";
    docs_no_results: "Nada coincide con la búsqueda.", "Nothing matches.";
    docs_previous: "Anterior", "Previous";
    docs_next: "Siguiente", "Next";
    docs_pages: "Capítulo anterior y siguiente", "Previous and next chapter";
    docs_other_language: "English", "Español";
    docs_part_start: "Primeros pasos", "First steps";
    docs_part_operations: "Operaciones", "Operations";
    docs_part_reference: "Referencia", "Reference";
    docs_terminal: "Terminal", "Terminal";
    docs_copy: "Copiar", "Copy";
    docs_copied: "Copiado", "Copied";
    docs_languages: "Lenguaje del ejemplo", "Language of the example";
    docs_version: "Versión", "Version";
    docs_machines: "Descripción para programas", "Description for programs";
    docs_try_key: "Llave de la API", "API key";
    docs_try_key_hint: "Se usa solo en esta página y no se guarda.", "It is used on this page only and is not stored.";
    docs_try_required: "obligatorio", "required";
    docs_try_send: "Enviar la solicitud", "Send the request";
    docs_try_sending: "Enviando…", "Sending…";
    docs_try_failed: "La solicitud no llegó al servicio.", "The request did not reach the service.";
    docs_try_status: "Estado", "Status";
    docs_try_headers: "Encabezados", "Headers";
    docs_try_body: "Cuerpo", "Body";
    docs_try_save: "Guardar el archivo", "Save the file";
    docs_try_needs_script: "El formulario de prueba necesita JavaScript.", "The test form needs JavaScript.";
    docs_errors_status: "Estado", "Status";
    docs_errors_when: "Cuándo", "When";
    docs_errors_message: "Mensaje", "Message";
}
