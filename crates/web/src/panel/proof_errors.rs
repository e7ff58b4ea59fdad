//! The errors of a form that asks for the password and a code of the second factor.

use super::auth::PanelRequest;
use app::panel::SecondFactorOutcome;

/// The errors of the code and password fields.
#[derive(Debug, Default)]
pub(crate) struct ProofErrors {
    pub(crate) code: Option<String>,
    pub(crate) password: Option<String>,
}

impl ProofErrors {
    /// Whether anything was.
    pub(crate) const fn any(&self) -> bool {
        self.code.is_some() || self.password.is_some()
    }

    /// The errors of an act that asks for password and code; or its failure.
    pub(super) fn of(
        request: &PanelRequest,
        secured: Result<SecondFactorOutcome, app::Error>,
    ) -> Result<Self, app::Error> {
        let mut wrong = Self::default();
        match secured {
            Ok(SecondFactorOutcome::WrongPassword) => {
                wrong.password = Some(request.l.wrong_own_password().to_owned());
            }
            Ok(SecondFactorOutcome::OldSession) => {
                wrong.password = Some(request.l.session_too_old().to_owned());
            }
            Ok(SecondFactorOutcome::Required) => {
                wrong.password = Some(request.l.second_required().to_owned());
            }
            Ok(_) => wrong.code = Some(request.l.wrong_code_panel().to_owned()),
            Err(app::Error::TooOften { retry_after }) => {
                wrong.password = Some(request.too_often(retry_after));
            }
            Err(error) => return Err(error),
        }
        Ok(wrong)
    }
}
