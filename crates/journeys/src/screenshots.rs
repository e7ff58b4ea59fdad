//! Pictures of pages, kept as build output.

use crate::browser::Browser;
use data_encoding::BASE64;
use serde_json::json;
use std::path::PathBuf;

/// Whether every image that can be seen is there.
const IMAGES_LOADED: &str = "return [...document.images].every(image => image.complete || !image.checkVisibility() \
                     || image.getBoundingClientRect().top > innerHeight)";

impl Browser {
    /// Keeps a picture of the whole page; its folder is named after the story.
    pub async fn picture(&self, story: &str, name: &str) {
        self.shoot(story, name, true).await;
    }

    /// Keeps a picture of what can be seen without scrolling.
    pub async fn glance(&self, story: &str, name: &str) {
        self.shoot(story, name, false).await;
    }

    async fn shoot(&self, story: &str, name: &str, whole: bool) {
        if whole {
            self.stretch().await;
        }
        let taken = self
            .devtools("Page.captureScreenshot", json!({ "format": "png" }))
            .await;
        if whole {
            self.shrink().await;
        }
        let png = BASE64.decode(taken["data"].as_str().unwrap().as_bytes()).unwrap();
        let file = folder(story).join(format!("{name}.png"));
        std::fs::write(file, png).unwrap();
    }

    /// Makes the screen as high as the page, and waits for its images.
    async fn stretch(&self) {
        let device = *self.device.lock().unwrap();
        let high = self
            .run("return document.documentElement.scrollHeight", &[])
            .await;
        let high = u32::try_from(high.as_u64().unwrap_or(0)).unwrap_or(u32::MAX);
        self.emulate(device.as_high_as(high)).await;
        self.until(IMAGES_LOADED).await;
    }

    /// Makes the screen as high as it was.
    async fn shrink(&self) {
        let device = *self.device.lock().unwrap();
        self.emulate(device).await;
    }
}

fn folder(story: &str) -> PathBuf {
    let folder = parts::target().join("screenshots").join(story);
    std::fs::create_dir_all(&folder).unwrap();
    folder
}
