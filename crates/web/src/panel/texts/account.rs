//! The person's own things.

use crate::page::{PanelLang, panel_texts};

panel_texts! {
    account_title: "Mi cuenta", "My account";
    password_title: "Contraseña", "Password";
    old_password_label: "Contraseña actual", "Current password";
    password_change: "Cambiar la contraseña", "Change the password";
    password_change_lead: "Las sesiones abiertas en otros navegadores se cerrarán.", "Sessions open in other browsers will end.";
    password_changed: "Se cambió su contraseña y se cerraron las demás sesiones.", "Your password has changed. The other sessions were ended.";
    wrong_own_password: "Esa no es su contraseña actual.", "That is not your current password.";
    second_title: "Verificación en dos pasos", "Two-step verification";
    second_off_lead: "Además de la contraseña, al entrar se pide un código de una aplicación de su celular. Así nadie entra solo con su contraseña.",
        "Besides the password, signing in asks for a code of an app on your phone. So nobody gets in with your password alone.";
    second_on: "Activa", "On";
    second_off: "Inactiva", "Off";
    second_set_up: "Activarla", "Turn it on";
    second_scan: "Abra su aplicación de autenticación y lea este código con la cámara.", "Open your authenticator app and scan this code with the camera.";
    second_type: "O escriba esta clave en la aplicación:", "Or type this key into the app:";
    second_picture: "Código QR con la clave de abajo", "QR code with the key below";
    second_code: "Código de 6 dígitos que muestra la aplicación", "6-digit code that the app shows";
    wrong_setup_code: "El código no coincide. Revise que la hora de su celular sea correcta.", "The code does not match. Check that your phone's time is right.";
    second_renew: "Códigos de recuperación nuevos", "New recovery codes";
    second_renew_lead: "Los anteriores dejan de servir.", "The old ones stop working.";
    second_remove: "Desactivarla", "Turn it off";
    second_required: "Su empresa exige la verificación en dos pasos a todas las personas: no se puede desactivar.",
        "Your company demands two-step verification of everybody: it cannot be turned off.";
    second_required_first: "Su empresa exige la verificación en dos pasos. Actívela para seguir: antes no se puede hacer nada más en el panel.",
        "Your company demands two-step verification. Turn it on to go on: nothing else can be done in the panel before.";
    second_removed: "Se desactivó la verificación en dos pasos.", "Two-step verification is off.";
    second_own_code: "Código de su aplicación, o uno de recuperación", "Code of your app, or a recovery code";
    second_confirm_label: "Su contraseña actual", "Your current password";
    recovery_title: "Sus códigos de recuperación", "Your recovery codes";
    recovery_lead: "Guárdelos donde no los pierda. Cada uno sirve una vez para entrar si no tiene su celular. No se mostrarán de nuevo.",
        "Keep them where you will not lose them. Each works once to sign in without your phone. They will not be shown again.";
    recovery_kept: "Ya los guardé", "I have kept them";
    sessions_title: "Sesiones abiertas", "Open sessions";
    sessions_lead: "Cada navegador desde el que usted entró. Una sesión termina tras 30 minutos sin uso, y en todo caso a las 12 horas.",
        "Each browser you signed in with. A session ends after 30 minutes without use, and after 12 hours in any case.";
    session_browser: "Navegador", "Browser";
    session_address: "Dirección IP", "IP address";
    session_begun: "Ingreso", "Signed in";
    session_used: "Último uso", "Last use";
    session_own: "Esta sesión", "This session";
    session_end: "Cerrar", "End";
    sessions_end: "Cerrar las demás", "End the others";
    session_ended: "Se cerró la sesión.", "The session was ended.";
    sessions_ended: "Se cerraron las demás sesiones.", "The other sessions were ended.";
    browser_unknown: "Navegador desconocido", "Unknown browser";
}

impl PanelLang {
    pub(crate) fn recovery_left(self, left: usize) -> String {
        match (self, left) {
            (Self::Es, 1) => "Queda 1 código de recuperación.".to_owned(),
            (Self::Es, _) => format!("Quedan {left} códigos de recuperación."),
            (Self::En, 1) => "1 recovery code is left.".to_owned(),
            (Self::En, _) => format!("{left} recovery codes are left."),
        }
    }

    /// "Firefox, Windows".
    pub(crate) fn browser(self, agent: &str) -> String {
        domain::client::browser_name(agent).unwrap_or_else(|| self.browser_unknown().to_owned())
    }
}
