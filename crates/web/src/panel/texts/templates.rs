//! Templates of folios, and folios made of a file of people.

use crate::page::{PanelLang, panel_texts};

panel_texts! {
    templates_title: "Plantillas", "Templates";
    templates_lead: "Una plantilla guarda los documentos, los roles de los firmantes y el mensaje de los folios que su empresa hace una y otra vez. Solo falta decir quién firma.",
        "A template keeps the documents, the signers' roles and the message of folios that your company makes again and again. All that is missing is who signs.";
    templates_none_title: "Todavía no hay plantillas", "There are no templates yet";
    templates_none_lead: "Prepare un folio nuevo con sus documentos y su mensaje, y elija «Guardar como plantilla».",
        "Prepare a new folio with its documents and its message, and choose “Save as a template”.";
    new_template: "Guardar como plantilla", "Save as a template";
    new_from_template: "Usar una plantilla", "Use a template";
    template_use_lead: "Abre el formulario de un folio nuevo con todo puesto, menos las personas.",
        "Opens the form of a new folio with everything in it but the people.";
    template_one: "Crear un folio", "Create a folio";
    template_many: "Crear muchos desde un CSV", "Create many from a CSV file";
    template_save_title: "Guardar como plantilla", "Save as a template";
    template_save_lead: "La plantilla guarda los documentos, el mensaje y las opciones. De las personas no guarda nada: solo el rol de cada firmante.",
        "The template keeps the documents, the message and the options. It keeps nothing of the people: only each signer's role.";
    template_save: "Guardar la plantilla", "Save the template";
    template_name: "Nombre de la plantilla", "Name of the template";
    template_role_hint: "Por ejemplo: Arrendador, Codeudor.", "For example: Landlord, Co-debtor.";
    template_name_taken: "Ya hay una plantilla con ese nombre, o hay 100 plantillas. Escriba otro nombre o elimine una.",
        "There is a template with that name already, or there are 100 templates. Enter another name or delete one.";
    template_role_taken: "Otro firmante tiene ese rol.", "Another signer has that role.";
    template_folio_name: "Nombre de sus folios", "Name of its folios";
    template_saved: "Se guardó la plantilla.", "The template was saved.";
    template_renamed: "Se cambió el nombre.", "The name was changed.";
    template_deleted: "Se eliminó la plantilla.", "The template was deleted.";
    template_rename: "Cambiar el nombre", "Change the name";
    template_delete: "Eliminar la plantilla", "Delete the template";
    template_delete_lead: "Los folios que se hicieron con ella no cambian. Las demás personas de su empresa tampoco podrán usarla.",
        "Folios that were made with it do not change. The other people of your company can no longer use it either.";
    templates_back: "Todas las plantillas", "All templates";

    // Folios of a file.
    import_title: "Crear muchos folios desde un CSV", "Create many folios from a CSV file";
    import_lead: "Cada fila del archivo es un folio. Primero verá los errores, cada uno con su fila y su columna; no se crea nada hasta que todas las filas estén bien y usted lo confirme. Se crean todos los folios o ninguno.",
        "Each row of the file is a folio. You will first see the errors, each with its row and column; nothing is created until all rows are right and you confirm. Either all folios are created or none.";
    import_sample: "Descargar el archivo con los encabezados", "Download the file with the headings";
    import_columns: "Las columnas", "The columns";
    import_column: "Encabezado", "Heading";
    import_meaning: "Qué va en ella", "What goes into it";
    import_file: "Archivo CSV", "CSV file";
    import_file_hint: "Como lo guarda Excel: «CSV UTF-8» o «CSV», con comas o con punto y coma. Hasta 200 folios y 200 kB.",
        "As Excel saves it: “CSV UTF-8” or “CSV”, with commas or semicolons. Up to 200 folios and 200 kB.";
    import_check: "Revisar el archivo", "Check the file";
    import_errors_title: "El archivo tiene errores", "The file has errors";
    import_errors_lead: "No se creó nada. Corrija el archivo y súbalo otra vez.", "Nothing was created. Correct the file and upload it again.";
    import_row: "Fila", "Row";
    import_problem: "Qué pasa", "What is wrong";
    import_template_wrong: "A la plantilla le falta algo", "The template lacks something";
    import_template_fix: "Úsela para un folio nuevo, complete lo que falta y guárdela como otra plantilla.",
        "Use it for a new folio, fill in what is missing and save it as another template.";
    import_no_documents: "No tiene documentos.", "It has no documents.";
    import_no_file: "Elija un archivo.", "Choose a file.";
    import_too_large: "El archivo tiene más de 200 kB. Divídalo.", "The file has more than 200 kB. Split it.";
    import_workbook: "Es un libro de Excel. Guárdelo como «CSV UTF-8 (delimitado por comas)» y suba ese archivo.",
        "It is an Excel workbook. Save it as “CSV UTF-8 (comma delimited)” and upload that file.";
    import_no_text: "No es un archivo de texto CSV.", "It is no CSV text file.";
    import_no_rows: "El archivo no tiene filas debajo de los encabezados.", "The file has no rows below the headings.";
    import_too_many: "El archivo tiene más de 200 filas. Divídalo.", "The file has more than 200 rows. Split it.";
    import_column_missing: "Falta esta columna.", "This column is missing.";
    import_column_unknown: "No se esperaba esta columna. Quítela o corrija su encabezado.", "This column was not expected. Remove it or correct its heading.";
    import_column_twice: "Esta columna aparece dos veces.", "This column is there twice.";
    import_cells: "La fila tiene más celdas que encabezados.", "The row has more cells than there are headings.";
    import_abbreviated: "Excel abrevió el número. Dé formato de texto a la columna y escríbalo otra vez.",
        "Excel shortened the number. Format the column as text and enter it again.";
    import_kind_wrong: "Use CC, CE, NIT o TI.", "Use CC, CE, NIT or TI.";
    import_confirm_title: "Todo está bien", "Everything is right";
    import_first_rows: "Las primeras filas", "The first rows";
    import_other_file: "Subir otro archivo", "Upload another file";
    import_gone: "Ese archivo ya no está. Súbalo otra vez.", "That file is gone. Upload it again.";
    import_folio: "Nombre del folio", "Name of the folio";
    import_folio_hint: "Lo ven los firmantes. Si la celda está vacía, es el de la plantilla.", "The signers see it. If the cell is empty, it is the template's.";
    import_name: "nombre", "name";
    import_kind: "tipo de documento", "type of document";
    import_number: "número de documento", "document number";
    import_email: "correo", "email";
    import_mobile: "celular", "mobile phone";
    import_name_hint: "Nombre completo", "Full name";
    import_kind_hint: "CC, CE, NIT o TI; si está vacío, CC", "CC, CE, NIT or TI; CC if it is empty";
    import_number_hint: "Por ejemplo 1020304050", "For example 1020304050";
    import_email_hint: "Por ejemplo ana@example.com", "For example ana@example.com";
    import_mobile_hint: "Por ejemplo 3001234567", "For example 3001234567";
}

impl PanelLang {
    /// What a template has: documents and signers.
    pub(crate) fn template_has(self, documents: usize, signers: usize) -> String {
        let documents = match (self, documents) {
            (Self::Es, 1) => "1 documento".to_owned(),
            (Self::Es, _) => format!("{documents} documentos"),
            (Self::En, 1) => "1 document".to_owned(),
            (Self::En, _) => format!("{documents} documents"),
        };
        let signers = match (self, signers) {
            (Self::Es, 1) => "1 firmante".to_owned(),
            (Self::Es, _) => format!("{signers} firmantes"),
            (Self::En, 1) => "1 signer".to_owned(),
            (Self::En, _) => format!("{signers} signers"),
        };
        format!("{documents} · {signers}")
    }

    /// The button that makes the folios of a file.
    pub(crate) fn import_make(self, count: usize) -> String {
        match (self, count) {
            (Self::Es, 1) => "Crear 1 folio".to_owned(),
            (Self::Es, _) => format!("Crear los {count} folios"),
            (Self::En, 1) => "Create 1 folio".to_owned(),
            (Self::En, _) => format!("Create the {count} folios"),
        }
    }

    /// What making them means.
    pub(crate) fn import_confirm_lead(self, count: usize, writes: bool) -> String {
        match (self, writes) {
            (Self::Es, true) => format!(
                "Folios que se van a crear: {count}. A cada firmante se le escribe enseguida. Se crean todos o ninguno: si algo se interrumpe, confirme otra vez; no se crearán dos veces."
            ),
            (Self::Es, false) => format!(
                "Folios que se van a crear: {count}. La plantilla no escribe a los firmantes. Se crean todos o ninguno: si algo se interrumpe, confirme otra vez; no se crearán dos veces."
            ),
            (Self::En, true) => format!(
                "Folios that will be created: {count}. Each signer is written to at once. Either all are created or none: if something is interrupted, confirm again; they are not created twice."
            ),
            (Self::En, false) => format!(
                "Folios that will be created: {count}. The template does not write to signers. Either all are created or none: if something is interrupted, confirm again; they are not created twice."
            ),
        }
    }

    /// Folios or errors that are not shown.
    pub(crate) fn import_more(self, count: usize) -> String {
        match (self, count) {
            (Self::Es, 1) => "y 1 más".to_owned(),
            (Self::Es, _) => format!("y {count} más"),
            (Self::En, _) => format!("and {count} more"),
        }
    }

    /// After folios were made of a file.
    pub(crate) fn imported(self, count: usize) -> String {
        match (self, count) {
            (Self::Es, 1) => "Se creó 1 folio del archivo.".to_owned(),
            (Self::Es, _) => format!("Se crearon {count} folios del archivo."),
            (Self::En, 1) => "1 folio was created of the file.".to_owned(),
            (Self::En, _) => format!("{count} folios were created of the file."),
        }
    }
}
