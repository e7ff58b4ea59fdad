//! Trusted lists (ETSI TS 119 612): the authorities that a supervisory body has granted, as trust anchors.
//!
//! Reads the list and no more: its own XML signature, and the status that a service had earlier, are not looked at. The
//! caller must have the file from a source that it trusts.

use data_encoding::BASE64;
use quick_xml::NsReader;
use quick_xml::events::Event;
use quick_xml::name::{Namespace, ResolveResult};

use crate::cms::Certificate;

/// The largest list that is read, in bytes.
pub const MAX_TRUSTED_LIST_BYTES: usize = 32 * 1024 * 1024;
const MAX_DEPTH: usize = 64;
const MAX_CERTIFICATES: usize = 10_000;
/// Characters of one element: a certificate of 64 KiB in Base64, with line ends.
const MAX_TEXT_BYTES: usize = 100 * 1024;

const NAMESPACE: Namespace<'_> = Namespace(b"http://uri.etsi.org/02231/v2#");
const SERVICE: [&[u8]; 6] = [
    b"TrustServiceStatusList",
    b"TrustServiceProviderList",
    b"TrustServiceProvider",
    b"TSPServices",
    b"TSPService",
    b"ServiceInformation",
];
const GRANTED: [&str; 3] = ["granted", "recognisedatnationallevel", "setbynationallaw"];
const STATUS: &str = "http://uri.etsi.org/TrstSvc/TrustedList/Svcstatus/";
const TYPE: &str = "http://uri.etsi.org/TrstSvc/Svctype/";
const AUTHORITIES: [&str; 3] = ["CA/QC", "CA/PKC", "NationalRootCA-QC"];
const TIME_STAMPING: [&str; 4] = ["TSA/QTST", "TSA", "TSA/TSS-QC", "TSA/TSS-AdESQCandQES"];

/// The granted services of trusted lists.
#[derive(Clone, Debug, Default)]
pub struct TrustedList {
    /// The authorities that issue certificates to signers; they need not be self-signed.
    pub authorities: Vec<Certificate>,
    /// The timestamping authorities: their own certificates, or those of their issuers.
    pub time_stamping: Vec<Certificate>,
}

/// Why a list was not read.
#[derive(Debug, thiserror::Error)]
pub enum TrustedListError {
    /// More bytes, depth or certificates than the limits.
    #[error("the trusted list is too large")]
    TooLarge,
    /// Not well-formed XML, or with a document type.
    #[error("the trusted list is not the XML that is expected: {0}")]
    Xml(String),
    /// The list names no service that is granted and of a known type.
    #[error("the trusted list has no granted authority")]
    Empty,
}

/// One service while it is read.
#[derive(Default)]
struct Service {
    kind: String,
    status: String,
    certificates: Vec<String>,
}

impl TrustedList {
    /// Reads a list. A certificate in it that cannot be read is left out.
    pub fn from_xml(xml: &[u8]) -> Result<Self, TrustedListError> {
        if xml.len() > MAX_TRUSTED_LIST_BYTES {
            return Err(TrustedListError::TooLarge);
        }
        let mut list = Self::default();
        let mut reader = NsReader::from_reader(xml);
        let mut buffer = Vec::new();
        let mut path: Vec<Vec<u8>> = Vec::new();
        let mut text = String::new();
        let mut service = Service::default();
        loop {
            buffer.clear();
            match reader
                .read_resolved_event_into(&mut buffer)
                .map_err(|error| TrustedListError::Xml(error.to_string()))?
            {
                (namespace, Event::Start(element)) => {
                    if path.len() == MAX_DEPTH {
                        return Err(TrustedListError::TooLarge);
                    }
                    // Elements of other namespaces match nothing.
                    let own = namespace == ResolveResult::Bound(NAMESPACE);
                    let name = if own {
                        element.local_name().as_ref().to_vec()
                    } else {
                        Vec::new()
                    };
                    path.push(name);
                    text.clear();
                    if path == SERVICE {
                        service = Service::default();
                    }
                }
                (_, Event::Text(part)) => {
                    let part = part
                        .decode()
                        .map_err(|error| TrustedListError::Xml(error.to_string()))?;
                    if text.len() + part.len() > MAX_TEXT_BYTES {
                        return Err(TrustedListError::TooLarge);
                    }
                    text.push_str(&part);
                }
                (_, Event::End(_)) => {
                    if path == SERVICE {
                        list.add(&std::mem::take(&mut service))?;
                    } else if let Some(rest) = below_service(&path) {
                        service.take(&rest, std::mem::take(&mut text));
                    }
                    path.pop();
                }
                (_, Event::DocType(_)) => {
                    return Err(TrustedListError::Xml("it has a document type".to_owned()));
                }
                (_, Event::Eof) if path.is_empty() => break,
                // What is missing could be the word that a service is no longer granted.
                (_, Event::Eof) => return Err(TrustedListError::Xml("it ends too early".to_owned())),
                _ => {}
            }
        }
        if list.authorities.is_empty() && list.time_stamping.is_empty() {
            return Err(TrustedListError::Empty);
        }
        Ok(list)
    }

    /// Joins the services of another list.
    pub fn extend(&mut self, other: Self) {
        self.authorities.extend(other.authorities);
        self.time_stamping.extend(other.time_stamping);
    }

    fn add(&mut self, service: &Service) -> Result<(), TrustedListError> {
        let status = service.status.trim().strip_prefix(STATUS);
        let Some(kind) = service.kind.trim().strip_prefix(TYPE) else {
            return Ok(());
        };
        let anchors = if AUTHORITIES.contains(&kind) {
            &mut self.authorities
        } else if TIME_STAMPING.contains(&kind) {
            &mut self.time_stamping
        } else {
            return Ok(());
        };
        if !status.is_some_and(|status| GRANTED.contains(&status)) {
            return Ok(());
        }
        for text in &service.certificates {
            let text: String = text.split_ascii_whitespace().collect();
            let der = BASE64.decode(text.as_bytes()).unwrap_or_default();
            let Ok(certificate) = Certificate::from_der(&der) else {
                continue;
            };
            if anchors.len() == MAX_CERTIFICATES {
                return Err(TrustedListError::TooLarge);
            }
            if !anchors.contains(&certificate) {
                anchors.push(certificate);
            }
        }
        Ok(())
    }
}

impl Service {
    fn take(&mut self, place: &[&[u8]], text: String) {
        match place {
            [b"ServiceTypeIdentifier"] => self.kind = text,
            [b"ServiceStatus"] => self.status = text,
            [b"ServiceDigitalIdentity", b"DigitalId", b"X509Certificate"] => self.certificates.push(text),
            _ => {}
        }
    }
}

/// The names below a service, if the path leads there.
fn below_service(path: &[Vec<u8>]) -> Option<Vec<&[u8]>> {
    let (head, rest) = path.split_at_checked(SERVICE.len())?;
    (head == SERVICE).then(|| rest.iter().map(Vec::as_slice).collect())
}
