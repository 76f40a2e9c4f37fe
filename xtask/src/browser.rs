//! The browsers of the tests: Chromium with its driver, Firefox, WebKit with its driver. They are
//! found on this machine, or installed where that is possible without asking (Debian and its kin,
//! as root, as in a container).

use crate::shell::{Outcome, clean, find, output, run, say};
use std::path::PathBuf;
use std::process::Command;

/// A browser and the driver of the same version.
pub(crate) struct Browser {
    pub(crate) chromium: PathBuf,
    pub(crate) driver: PathBuf,
}

const CHROMIUM: [&str; 7] = [
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
    "chrome",
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
];

const DRIVER: [&str; 3] =
    ["chromedriver", "/usr/lib/chromium-browser/chromedriver", "/usr/lib/chromium/chromedriver"];

const FIREFOX: [&str; 3] =
    ["firefox-esr", "firefox", "/Applications/Firefox.app/Contents/MacOS/firefox"];

const WEBKIT_DRIVER: [&str; 1] = ["WebKitWebDriver"];

/// The small browser of WebKitGTK, which no package puts on PATH.
const WEBKIT: [&str; 6] = [
    "/usr/lib/x86_64-linux-gnu/webkit2gtk-4.1/MiniBrowser",
    "/usr/lib/aarch64-linux-gnu/webkit2gtk-4.1/MiniBrowser",
    "/usr/lib/x86_64-linux-gnu/webkitgtk-6.0/MiniBrowser",
    "/usr/lib/aarch64-linux-gnu/webkitgtk-6.0/MiniBrowser",
    "/usr/libexec/webkit2gtk-4.1/MiniBrowser",
    "/usr/lib/webkit2gtk-4.1/MiniBrowser",
];

/// Firefox, and WebKit where it has a driver: each program under the variable that names it.
pub(crate) type Others = Vec<(&'static str, PathBuf)>;

/// Finds the other browsers, and installs them where they are missing and that is possible.
pub(crate) fn need_others() -> Outcome<Others> {
    let mut wanted: Vec<(&str, &[&str])> = vec![("FIREFOX", &FIREFOX)];
    // Elsewhere WebKit is Safari, which is driven otherwise and needs its owner's leave.
    match cfg!(target_os = "linux") {
        true => wanted.extend([
            ("WEBKIT_DRIVER", WEBKIT_DRIVER.as_slice()),
            ("WEBKIT", &WEBKIT),
            ("XVFB", &["Xvfb"]),
        ]),
        false => println!("  WebKit is not among the browsers here: its driver is Linux's"),
    }
    let look =
        || wanted.iter().map(|(name, programs)| (*name, named(name).or_else(|| find(programs))));
    if look().any(|(_, path)| path.is_none()) && find(&["apt-get"]).is_some() && is_root() {
        say("Installing Firefox and WebKit's driver with apt-get (once; about 1 minute)");
        apt_get(&["update"])?;
        let packages = ["firefox-esr", "webkit2gtk-driver", "xvfb"];
        apt_get(&[&["install", "--yes", "--no-install-recommends"], &packages[..]].concat())?;
    }
    let missing: Vec<&str> =
        look().filter(|(_, path)| path.is_none()).map(|(name, _)| name).collect();
    if !missing.is_empty() {
        return Err(format!(
            "these browsers or their drivers are missing: {}. On Debian: `sudo apt-get install \
             firefox-esr webkit2gtk-driver xvfb`; elsewhere install Firefox, WebKitGTK with \
             WebKitWebDriver and MiniBrowser, and Xvfb. Where they are not found, name them in the \
             environment variables of these names.",
            missing.join(", ")
        ));
    }
    Ok(look().filter_map(|(name, path)| Some((name, path?))).collect())
}

/// Finds the browser and its driver, and installs them where they are missing and that is possible.
pub(crate) fn need_browser() -> Outcome<Browser> {
    if let Some(browser) = found() {
        return Ok(browser);
    }
    if find(&["apt-get"]).is_some() && is_root() {
        say("Installing Chromium and its driver with apt-get (once; about 1 minute)");
        apt_get(&["update"])?;
        apt_get(&["install", "--yes", "--no-install-recommends", "chromium", "chromium-driver"])?;
    }
    found().ok_or_else(|| {
        format!(
            "{} missing, which the browser tests need. On Debian: `sudo apt-get install chromium \
             chromium-driver`; elsewhere install Chromium or Chrome and the ChromeDriver of the \
             same version. Where they are not on PATH, name them in the environment variables \
             CHROMIUM and CHROMEDRIVER.",
            match (chromium(), driver()) {
                (None, None) => "Chromium and ChromeDriver are",
                (None, Some(_)) => "Chromium is",
                _ => "ChromeDriver is",
            }
        )
    })
}

fn found() -> Option<Browser> {
    Some(Browser { chromium: chromium()?, driver: driver()? })
}

fn chromium() -> Option<PathBuf> {
    named("CHROMIUM").or_else(|| find(&CHROMIUM))
}

fn driver() -> Option<PathBuf> {
    named("CHROMEDRIVER").or_else(|| find(&DRIVER))
}

fn named(variable: &str) -> Option<PathBuf> {
    std::env::var_os(variable).map(PathBuf::from).filter(|path| path.is_file())
}

fn is_root() -> bool {
    output(Command::new("id").arg("-u")).is_ok_and(|id| id.trim() == "0")
}

fn apt_get(arguments: &[&str]) -> Outcome {
    let mut command = Command::new("apt-get");
    command.args(arguments).env("DEBIAN_FRONTEND", "noninteractive");
    clean(&mut command);
    run(&mut command)
}
