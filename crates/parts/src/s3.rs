//! An S3 service of one's own: Ceph's object gateway over one monitor and one storage daemon in memory.

use std::fs;
use std::process::Command;

use crate::find_program::find;
use crate::packages::Need;
use crate::{End, Error, Part, Result, Scratch, answers, free_port, provide, run};

const BUCKET: &str = "firmeza";
const REGION: &str = "us-east-1";
const ACCESS_KEY: &str = "FIRMEZATEST";
const SECRET_KEY: &str = "only-for-tests-on-the-loopback-address";

/// A throwaway service on 127.0.0.1 with one empty bucket.
#[derive(Debug)]
pub struct S3 {
    scratch: Scratch,
    port: u16,
}

impl S3 {
    pub const PART: Part = Part {
        needs: &[
            Need::Program {
                name: "ceph-mon",
                package: "ceph-mon",
            },
            Need::Program {
                name: "ceph-osd",
                package: "ceph-osd",
            },
            Need::Program {
                name: "radosgw",
                package: "radosgw",
            },
            Need::Program {
                name: "radosgw-admin",
                package: "ceph-common",
            },
            Need::Program {
                name: "curl",
                package: "curl",
            },
        ],
    };

    pub fn start() -> Result<Self> {
        provide(&[&Self::PART])?;
        let mut s3 = Self {
            scratch: Scratch::new()?,
            port: free_port()?,
        };
        s3.start_monitor()?;
        s3.start_storage()?;
        s3.start_gateway()?;
        s3.create_bucket(BUCKET)?;
        // The first object waits for the pools that are made for it: longer than any client of the tests would.
        let first = format!("{BUCKET}/first");
        s3.request("PUT", &first, &["--data", ""])?;
        s3.request("DELETE", &first, &[])?;
        Ok(s3)
    }

    /// The process numbers of its servers, for those who measure what they spend.
    pub fn ids(&self) -> Vec<u32> {
        let servers = ["mon", "osd", "radosgw"];
        servers.iter().filter_map(|name| self.scratch.id(name)).collect()
    }

    pub fn endpoint(&self) -> String {
        format!("http://127.0.0.1:{}", self.port)
    }

    /// The bucket that is there from the start.
    pub fn bucket(&self) -> &'static str {
        BUCKET
    }

    /// The variables by which the usual clients find the service.
    pub fn env(&self) -> [(&'static str, String); 6] {
        [
            ("AWS_ENDPOINT_URL", self.endpoint()),
            ("AWS_ACCESS_KEY_ID", ACCESS_KEY.into()),
            ("AWS_SECRET_ACCESS_KEY", SECRET_KEY.into()),
            ("AWS_REGION", REGION.into()),
            ("AWS_DEFAULT_REGION", REGION.into()),
            ("AWS_ALLOW_HTTP", "true".into()),
        ]
    }

    pub fn create_bucket(&self, name: &str) -> Result<()> {
        self.request("PUT", name, &[]).map(drop)
    }

    /// A signed request through curl, with further options of curl; returns the answer's body.
    pub fn request(&self, method: &str, path: &str, options: &[&str]) -> Result<String> {
        run(Command::new("curl")
            .args([
                "--silent",
                "--show-error",
                "--fail-with-body",
                "--max-time",
                "120",
                "--request",
                method,
            ])
            .args(["--aws-sigv4", &format!("aws:amz:{REGION}:s3")])
            .args(["--user", &format!("{ACCESS_KEY}:{SECRET_KEY}")])
            .args(["--header", "x-amz-content-sha256: UNSIGNED-PAYLOAD"])
            .args(options)
            .arg(format!("{}/{path}", self.endpoint())))
    }

    fn start_monitor(&mut self) -> Result<()> {
        let dir = self.scratch.directory().to_path_buf();
        let dir_text = dir
            .to_str()
            .ok_or_else(|| Error::new("the temporary directory is not UTF-8"))?;
        let (mon_port, fsid) = (free_port()?, uuid()?);
        let conf = include_str!("ceph.conf")
            .replace("{dir}", dir_text)
            .replace("{fsid}", &fsid)
            .replace("{mon_port}", &mon_port.to_string())
            .replace("{port}", &self.port.to_string());
        fs::write(dir.join("ceph.conf"), conf)?;
        for data in ["mon", "osd", "rgw"] {
            fs::create_dir(dir.join(data))?;
        }
        fs::write(dir.join("keyring"), "")?;
        self.add_key("mon.", &["mon", "allow *"])?;
        self.add_key("client.admin", &["mon", "allow *", "osd", "allow *"])?;
        self.add_key("osd.0", &["mon", "allow profile osd", "osd", "allow *"])?;
        run(Command::new("monmaptool")
            .args([
                "--create",
                "--fsid",
                &fsid,
                "--addv",
                "a",
                &format!("[v2:127.0.0.1:{mon_port}]"),
            ])
            .arg(dir.join("monmap")))?;
        let files = [
            format!("--monmap={dir_text}/monmap"),
            format!("--keyring={dir_text}/keyring"),
        ];
        run(self.ceph("ceph-mon")?.args(["-i", "a", "--mkfs"]).args(files))?;
        let mut monitor = self.ceph("ceph-mon")?;
        self.scratch
            .start("mon", monitor.args(["-f", "-i", "a"]), End::KillGroup)
    }

    fn start_storage(&mut self) -> Result<()> {
        let id = uuid()?;
        run(self
            .ceph("ceph")?
            .args(["--connect-timeout", "180", "osd", "new", &id]))?;
        run(self
            .ceph("ceph-osd")?
            .args(["-i", "0", "--mkfs", "--osd-uuid", &id]))?;
        let mut storage = self.ceph("ceph-osd")?;
        self.scratch
            .start("osd", storage.args(["-f", "-i", "0"]), End::KillGroup)
    }

    fn start_gateway(&mut self) -> Result<()> {
        // Waits by itself until the storage takes writes.
        run(self
            .ceph("radosgw-admin")?
            .args(["user", "create", "--uid=test", "--display-name=test"])
            .args([
                &format!("--access-key={ACCESS_KEY}"),
                &format!("--secret-key={SECRET_KEY}"),
            ]))?;
        let mut gateway = self.ceph("radosgw")?;
        self.scratch.start(
            "radosgw",
            gateway.args(["-f", "-n", "client.admin"]),
            End::KillGroup,
        )?;
        let port = self.port;
        self.scratch.wait_until("radosgw", || answers(port, "/"))
    }

    fn add_key(&self, name: &str, allowed: &[&str]) -> Result<()> {
        let mut command = Command::new("ceph-authtool");
        command
            .arg(self.scratch.directory().join("keyring"))
            .args(["--gen-key", "-n", name]);
        for capability in allowed.chunks(2) {
            command.arg("--cap").args(capability);
        }
        run(&mut command).map(drop)
    }

    fn ceph(&self, program: &str) -> Result<Command> {
        let program = find(program).ok_or_else(|| Error::new(format!("{program} is not installed")))?;
        let mut command = Command::new(program);
        command.arg("-c").arg(self.scratch.directory().join("ceph.conf"));
        Ok(command)
    }
}

fn uuid() -> Result<String> {
    Ok(fs::read_to_string("/proc/sys/kernel/random/uuid")?
        .trim()
        .to_owned())
}
