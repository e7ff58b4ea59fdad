//! Webhooks.

use crate::page::{PanelLang, panel_texts};
use app::webhooks::{BadAddress, MAX_REPLAYED};
use domain::{WantedKinds, WebhookKind};
use store::{DeliveryState, WebhookRow};

panel_texts! {
    webhooks_title: "Webhooks", "Webhooks";
    webhooks_lead: "Direcciones de sus sistemas a las que se avisa cada vez que algo cambia en un folio.",
        "Addresses of your systems that are told whenever something changes in a folio.";
    webhooks_none: "Aún no hay ninguna. Agregue la dirección de su sistema y pruébela: sin una dirección no se envían avisos.",
        "There is none yet. Add the address of your system and try it: nothing is told until there is one.";
    webhook_address: "Dirección", "Address";
    webhook_address_hint: "Una dirección pública que reciba POST, por ejemplo https://sistemas.example.com/firmeza",
        "A public address that takes POST, such as https://systems.example.com/firmeza";
    webhook_label: "Para qué es", "What it is for";
    webhook_since: "Desde", "Since";
    webhook_add_title: "Agregar una dirección", "Add an address";
    webhook_add: "Agregar", "Add";
    webhook_malformed: "Escriba una dirección completa que empiece por https://", "Enter a whole address that begins with https://";
    webhook_not_https: "La dirección debe empezar por https://", "The address must begin with https://";
    webhook_credentials: "La dirección no puede llevar usuario ni contraseña. Los avisos van firmados: con eso basta.",
        "The address cannot carry a user or a password. Messages are signed: that is enough.";
    webhook_too_long: "La dirección es muy larga: use como máximo 2048 caracteres.", "The address is too long: use at most 2048 characters.";
    webhook_not_public: "Esa dirección no es pública: el servicio no se conecta a redes internas.",
        "That address is not public: inside networks are not reached from here.";
    webhook_port: "Ese puerto no está permitido. Use 443 u 8443, o pida a quien opera el servicio que lo permita.",
        "That port is not allowed. Use 443 or 8443, or ask the service's operator to allow it.";
    webhooks_full: "Su empresa ya tiene diez direcciones. Elimine una antes de agregar otra.",
        "Your company has ten addresses already. Remove one before you add another.";
    webhook_state_on: "Activa", "Active";
    webhook_state_failing: "Con fallas", "Failing";
    webhook_state_off: "Desactivada", "Disabled";
    webhook_failing_lead: "No responde bien desde", "It has not answered well since";
    webhook_note_gone: "Se desactivó porque respondió que ya no existe (410).", "It was disabled because it answered that it is gone (410).";
    webhook_note_failing: "Se desactivó porque falló durante cinco días. Corríjala y actívela de nuevo.",
        "It was disabled because it failed for five days. Mend it and enable it again.";
    webhook_off_lead: "No recibe avisos mientras esté desactivada.", "It is told nothing while it is disabled.";
    webhook_secret_shown: "Su secreto", "Its secret";
    webhook_secret_once: "Con él su sistema comprueba que los avisos vienen de aquí. Cópielo ahora: no se mostrará de nuevo.",
        "With it your system checks that messages come from here. Copy it now: it will not be shown again.";
    webhook_secret_overlap: "Durante un día los avisos van firmados también con el anterior, para que tenga tiempo de cambiarlo.",
        "For a day messages are signed with the one before as well, so that you have time to change it.";
    webhook_secret_kept: "Ya lo guardé", "I have kept it";
    webhook_test: "Enviar una prueba", "Send a test";
    webhook_tested: "La prueba va en camino: vea abajo qué respondió.", "The test is on its way: see below what it answered.";
    webhook_new_secret: "Crear otro secreto", "Make another secret";
    webhook_secret_title: "¿Crear otro secreto?", "Make another secret?";
    webhook_secret_lead: "El actual servirá un día más. Después, su sistema rechazará los avisos si no conoce el nuevo.",
        "The present one works for a day more. After that your system will refuse messages if it does not know the new one.";
    webhook_disable: "Desactivar", "Disable";
    webhook_disabled: "Se desactivó la dirección.", "The address is disabled.";
    webhook_enable: "Activar", "Enable";
    webhook_enabled: "Se activó la dirección.", "The address is active.";
    webhook_kinds_legend: "Qué avisos recibe", "The messages that it gets";
    webhook_kinds_hint: "Si elige todos, recibe también los que se agreguen en versiones futuras. Las pruebas llegan siempre.",
        "If you choose all of them, it also gets those that later versions add. Tests always arrive.";
    webhook_kinds_none: "Elija al menos un aviso. Para que no reciba ninguno, desactive la dirección.",
        "Choose at least one message. To have it told nothing, disable the address.";
    webhook_kinds_save: "Guardar", "Save";
    webhook_kinds_saved: "Se guardaron los avisos elegidos. Se aplican desde ahora.",
        "The chosen messages are saved. They count for what happens from now on.";
    webhook_kinds_all: "Recibe todos los avisos", "It gets all messages";
    webhook_remove: "Eliminar", "Remove";
    webhook_remove_title: "¿Eliminar esta dirección?", "Remove this address?";
    webhook_remove_lead: "No recibirá más avisos, tampoco los que están por enviarse.", "It is told nothing more, not even what is about to be sent.";
    webhook_removed: "Se eliminó la dirección.", "The address was removed.";
    told_title: "Avisos", "Messages";
    told_lead: "Los de los últimos treinta días, con los diez últimos intentos de cada uno.",
        "Those of the last thirty days, with the last ten attempts at each.";
    told_none: "Todavía no hay avisos. Envíe una prueba para ver cómo llegan.", "There are no messages yet. Send a test to see how they arrive.";
    told_what: "Aviso", "Message";
    told_when: "Cuándo", "When";
    told_state: "Estado", "State";
    told_attempts: "Intentos", "Attempts";
    told_next: "Próximo intento:", "Next attempt:";
    told_resend: "Enviar de nuevo", "Send again";
    webhook_resent: "El aviso va de nuevo en camino.", "The message is on its way again.";
    told_see: "Ver lo que se envió y lo que respondió", "See what was sent and answered";
    told_folio: "Folio", "Folio";
    told_status: "Respondió", "It answered";
    told_attempts_lead: "Los cincuenta últimos, con el comienzo de cada respuesta (como máximo 1 KiB).",
        "The last fifty, with the beginning of each response (1 KiB at the most).";
    told_untried: "Todavía no se ha intentado.", "It has not been tried yet.";
    told_body: "Lo que se envía", "What is sent";
    told_no_body: "Se escribe con el primer intento, y es igual en todos.", "It is written with the first attempt, and is the same in all of them.";
    replay_title: "Enviar varios de nuevo", "Send several again";
    replay_legend: "Cuáles", "Which ones";
    replay_dead: "Los que no llegaron", "Those that were not received";
    replay_since: "Todos desde una fecha y hora", "All since a date and time";
    replay_time: "Fecha y hora, en la zona horaria de la empresa", "Date and time, in the company's time zone";
    replay_when: "Elija cuáles, y escriba una fecha y hora si los quiere desde un momento.",
        "Choose which ones, and enter a date and time if you want them since a moment.";
    replay_lead: "Como máximo 1000 de una vez, los más antiguos primero. Cada uno conserva su webhook-id: su sistema reconoce los que ya recibió.",
        "1,000 at once at the most, the oldest first. Each keeps its webhook-id: your system recognises those it has received already.";
    replay_next: "Enviar los siguientes", "Send the next ones";
    told_no_answer: "sin respuesta", "no answer";
    attempt_redirect: "no se siguen redirecciones", "redirects are not followed";
    attempt_late: "no respondió a tiempo", "no answer in time";
    attempt_inside: "el nombre no corresponde a una dirección pública", "the name leads to no public address";
    attempt_port: "su puerto no está permitido", "its port is not allowed";
    attempt_unknown: "el nombre no se encontró", "the name was not found";
    attempt_refused: "la conexión fue rechazada", "the connection was refused";
    attempt_certificate: "su certificado no es válido", "its certificate is not valid";
    attempt_failed: "la conexión falló", "the connection failed";
    delivery_waiting: "Por enviar", "Waiting";
    delivery_sent: "Recibido", "Received";
    delivery_dead: "No llegó", "Not received";
    webhook_event_created: "Folio creado", "Folio created";
    webhook_event_signer_signed: "Firmó una persona", "A signer signed";
    webhook_event_signed: "Firmado por todos", "Signed by everybody";
    webhook_event_rejected: "Rechazado por un firmante", "Rejected by a signer";
    webhook_event_cancelled: "Folio anulado", "Folio cancelled";
    webhook_event_resent: "Correos reenviados", "Emails sent again";
    webhook_event_approved: "Folio aprobado", "Folio approved";
    webhook_event_disapproved: "Rechazado por la empresa", "Rejected by the company";
    webhook_event_dropped: "Folio retirado", "Folio dropped";
    webhook_event_email_bounced: "Correo devuelto", "Email came back";
    webhook_event_email_complained: "Correo marcado como no deseado", "Email reported as unwanted";
    webhook_event_test: "Prueba", "Test";
}

impl PanelLang {
    /// The message for an invalid address.
    pub(crate) const fn bad_address(self, bad: BadAddress) -> &'static str {
        match bad {
            BadAddress::Malformed => self.webhook_malformed(),
            BadAddress::NotHttps => self.webhook_not_https(),
            BadAddress::Credentials => self.webhook_credentials(),
            BadAddress::TooLong => self.webhook_too_long(),
            BadAddress::NotPublic => self.webhook_not_public(),
            BadAddress::Port => self.webhook_port(),
        }
    }

    /// How an address is: a shape and a word.
    pub(crate) const fn webhook_state(self, row: &WebhookRow) -> (&'static str, &'static str) {
        if row.disabled_at.is_some() {
            ("over", self.webhook_state_off())
        } else if row.failing_since.is_some() {
            ("bad", self.webhook_state_failing())
        } else {
            ("good", self.webhook_state_on())
        }
    }

    /// Which messages an address gets.
    pub(crate) fn webhook_kinds_of(self, kinds: &WantedKinds) -> String {
        let WantedKinds::Only(kinds) = kinds else {
            return self.webhook_kinds_all().to_owned();
        };
        let (some, of) = (kinds.len(), WebhookKind::ALL.len());
        match self {
            Self::Es => format!("Recibe {some} de {of} avisos"),
            Self::En => format!("It gets {some} of {of} messages"),
        }
    }

    /// How many messages are sent again.
    pub(crate) fn replayed(self, queued: usize) -> String {
        let first = match (self, queued) {
            (Self::Es, 0) => "No había avisos que enviar de nuevo.".to_owned(),
            (Self::Es, 1) => "1 aviso va de nuevo en camino.".to_owned(),
            (Self::Es, _) => format!("{queued} avisos van de nuevo en camino."),
            (Self::En, 0) => "There were no messages to send again.".to_owned(),
            (Self::En, 1) => "1 message is on its way again.".to_owned(),
            (Self::En, _) => format!("{queued} messages are on their way again."),
        };
        match self {
            _ if queued < MAX_REPLAYED => first,
            Self::Es => format!("{first} Es el máximo de una vez: puede haber más."),
            Self::En => format!("{first} That is the most at once: there may be more."),
        }
    }

    /// Why the service disabled a webhook.
    pub(crate) fn webhook_note(self, note: &str) -> &'static str {
        match note {
            "gone" => self.webhook_note_gone(),
            _ => self.webhook_note_failing(),
        }
    }

    /// Why an attempt failed, as far as people can do something about it.
    pub(crate) fn attempt_error(self, error: &str) -> &'static str {
        let messages = [
            ("redirects", self.attempt_redirect()),
            ("in time", self.attempt_late()),
            ("public address", self.attempt_inside()),
            ("the port is none", self.attempt_port()),
            ("lookup", self.attempt_unknown()),
            ("refused", self.attempt_refused()),
            ("certificate", self.attempt_certificate()),
        ];
        let known = messages.into_iter().find(|(mark, _)| error.contains(mark));
        known.map_or_else(|| self.attempt_failed(), |(_, words)| words)
    }

    /// The state of a delivery: a shape and a word.
    pub(crate) const fn delivery_state(self, state: DeliveryState) -> (&'static str, &'static str) {
        match state {
            DeliveryState::Waiting => ("wait", self.delivery_waiting()),
            DeliveryState::Sent => ("good", self.delivery_sent()),
            DeliveryState::Dead => ("bad", self.delivery_dead()),
        }
    }

    /// The name of a webhook event.
    pub(crate) fn webhook_event_name(self, kind: &str) -> &'static str {
        match kind {
            "folio.created" => self.webhook_event_created(),
            "folio.signer_signed" => self.webhook_event_signer_signed(),
            "folio.signed" => self.webhook_event_signed(),
            "folio.rejected" => self.webhook_event_rejected(),
            "folio.cancelled" => self.webhook_event_cancelled(),
            "folio.resent" => self.webhook_event_resent(),
            "folio.approved" => self.webhook_event_approved(),
            "folio.disapproved" => self.webhook_event_disapproved(),
            "folio.dropped" => self.webhook_event_dropped(),
            "folio.email_bounced" => self.webhook_event_email_bounced(),
            "folio.email_complained" => self.webhook_event_email_complained(),
            _ => self.webhook_event_test(),
        }
    }
}
