import { describe, expect, it } from 'vitest'

import { cleanEnvironment } from './clean-environment'

type Environment = Record<string, string>

const HOME = '/home/mara'
const MOUNT = '/tmp/.mount_PatchbXy12'
const SNAP = '/snap/patchbay/42'
/** A session's environment without any wrapper. */
const SESSION: Environment = {
  HOME,
  PATH: '/home/mara/.local/bin:/usr/bin:/bin:/snap/bin',
  LANG: 'en_US.UTF-8',
  XDG_CURRENT_DESKTOP: 'ubuntu:GNOME',
  XDG_DATA_DIRS: '/usr/share/ubuntu:/usr/share/',
  XDG_RUNTIME_DIR: '/run/user/1000',
  GTK_IM_MODULE: 'ibus',
  GTK_MODULES: 'gail:atk-bridge',
  DBUS_SESSION_BUS_ADDRESS: 'unix:path=/run/user/1000/bus',
  HTTPS_PROXY: 'http://proxy.example:8080',
}

const WRAPPERS: [wrapper: string, added: Environment][] = [
  [
    'the start script of an AppImage for Electron',
    {
      APPIMAGE: '/home/mara/Patchbay.AppImage',
      APPDIR: MOUNT,
      ARGV0: './Patchbay.AppImage',
      OWD: HOME,
      PATH: `${MOUNT}:${MOUNT}/usr/sbin:${SESSION.PATH}`,
      XDG_DATA_DIRS: `${MOUNT}/usr/share/:./share/:${SESSION.XDG_DATA_DIRS}`,
      LD_LIBRARY_PATH: `${MOUNT}/usr/lib:`,
      GSETTINGS_SCHEMA_DIR: `${MOUNT}/usr/share/glib-2.0/schemas:`,
    },
  ],
  [
    'the start program of older AppImages, with GTK and Python',
    {
      APPIMAGE: '/home/mara/Patchbay.AppImage',
      APPDIR: MOUNT,
      PATH: `${MOUNT}/usr/bin/:${MOUNT}/usr/games/:${SESSION.PATH}`,
      LD_LIBRARY_PATH: `${MOUNT}/usr/lib/:${MOUNT}/lib/x86_64-linux-gnu/`,
      PYTHONHOME: `${MOUNT}/usr/`,
      PYTHONPATH: `${MOUNT}/usr/share/pyshared/:`,
      PERLLIB: `${MOUNT}/usr/share/perl5/`,
      QT_PLUGIN_PATH: `${MOUNT}/usr/lib/qt5/plugins/`,
      SSL_CERT_FILE: `${MOUNT}/usr/ssl/cert.pem`,
      GTK_PATH: `${MOUNT}/usr/lib/gtk-3.0`,
      GTK_EXE_PREFIX: `${MOUNT}/usr`,
      GTK_THEME: 'Adwaita:dark',
      GDK_BACKEND: 'x11',
      GDK_PIXBUF_MODULE_FILE: `${MOUNT}/usr/lib/gdk-pixbuf-2.0/loaders.cache`,
      GIO_MODULE_DIR: `${MOUNT}/usr/lib/gio/modules`,
      GIO_LAUNCHED_DESKTOP_FILE: '/home/mara/.local/share/applications/patchbay.desktop',
      NODE_OPTIONS: `--require ${MOUNT}/usr/hook.js`,
    },
  ],
  [
    'an AppImage that saves what it changes',
    {
      APPDIR: MOUNT,
      APPRUN_ORIGINAL_PATH: SESSION.PATH ?? '',
      APPRUN_STARTUP_PATH: `${MOUNT}/usr/bin:/odd`,
      PATH: `${MOUNT}/usr/bin:/odd`,
      APPRUN_ORIGINAL_LD_PRELOAD: '',
      LD_PRELOAD: 'libapprun_hooks.so',
      APPRUN_RUNTIME: `${MOUNT}/runtime`,
    },
  ],
  [
    'a strict snap with the GNOME extension',
    {
      SNAP,
      SNAP_NAME: 'patchbay',
      SNAP_REVISION: '42',
      SNAP_USER_DATA: '/home/mara/snap/patchbay/42',
      SNAP_LIBRARY_PATH: '/var/lib/snapd/lib/gl:/var/lib/snapd/void',
      PATH: `${SNAP}/usr/sbin:${SNAP}/usr/bin:${SESSION.PATH}`,
      LD_LIBRARY_PATH: `/var/lib/snapd/lib/gl:${SNAP}/usr/lib:/var/lib/snapd/void`,
      XDG_DATA_DIRS: `${SNAP}/usr/share:${SNAP}/gnome-platform/usr/share:${SESSION.XDG_DATA_DIRS}`,
      XDG_CONFIG_DIRS: `${SNAP}/etc/xdg`,
      GTK_PATH: `${SNAP}/gnome-platform/usr/lib/gtk-3.0`,
      FONTCONFIG_FILE: `${SNAP}/gnome-platform/etc/fonts/fonts.conf`,
      GIO_MODULE_DIR: `${SNAP}/gio-modules`,
      LOCPATH: `${SNAP}/gnome-platform/usr/lib/locale`,
    },
  ],
  [
    'the snap of an editor in whose terminal Patchbay was started',
    {
      SNAP: '/snap/code/200',
      SNAP_NAME: 'code',
      GTK_EXE_PREFIX: '/snap/code/200/usr',
      GTK_EXE_PREFIX_VSCODE_SNAP_ORIG: '',
      GDK_PIXBUF_MODULE_FILE: '/home/mara/snap/code/common/.cache/loaders.cache',
      GDK_PIXBUF_MODULE_FILE_VSCODE_SNAP_ORIG: '',
      XDG_DATA_DIRS: '/home/mara/snap/code/200/.local/share:/snap/code/200/usr/share',
      XDG_DATA_DIRS_VSCODE_SNAP_ORIG: SESSION.XDG_DATA_DIRS ?? '',
    },
  ],
  [
    'Flatpak',
    {
      FLATPAK_ID: 'org.example.Patchbay',
      PATH: `/app/bin:${SESSION.PATH}`,
      LD_LIBRARY_PATH: '/app/lib',
      XDG_DATA_DIRS: `/app/share:${SESSION.XDG_DATA_DIRS}`,
      GI_TYPELIB_PATH: '/app/lib/girepository-1.0',
    },
  ],
  [
    'Electron, and an editor that starts it as Node',
    {
      CHROME_DESKTOP: 'patchbay.desktop',
      XDG_CURRENT_DESKTOP: 'Unity',
      ORIGINAL_XDG_CURRENT_DESKTOP: SESSION.XDG_CURRENT_DESKTOP ?? '',
      ELECTRON_RUN_AS_NODE: '1',
      ELECTRON_NO_ATTACH_CONSOLE: '1',
      NODE_OPTIONS: '--require /home/mara/.vscode/bootloader.js',
      VSCODE_INSPECTOR_OPTIONS: '{}',
    },
  ],
  [
    'a program that PyInstaller packed',
    { LD_LIBRARY_PATH: '/tmp/_MEI42', LD_LIBRARY_PATH_ORIG: '' },
  ],
]

describe('E12: the environment changed by a wrapper', () => {
  it.each(WRAPPERS)("is restored to the session's, for %s", (_, added) => {
    expect(cleanEnvironment({ ...SESSION, ...added }, 'linux')).toEqual(SESSION)
  })

  it('stays the same without a wrapper', () => {
    const own = {
      ...SESSION,
      LD_LIBRARY_PATH: '/opt/cuda/lib:',
      GTK_THEME: 'Adwaita:dark',
      GDK_BACKEND: 'wayland',
      NODE_OPTIONS: '--use-openssl-ca',
      PYTHONPATH: 'lib:/srv/lib',
      CONFIG_ORIG: 'a',
      CONFIG: 'b',
      ARGV0: 'zsh',
      ORIGINAL_NAME: 'c',
    }
    expect(cleanEnvironment(own, 'linux')).toEqual(own)
  })

  it('keeps what the user changed after the wrapper', () => {
    const env = {
      APPDIR: MOUNT,
      APPRUN_ORIGINAL_PATH: '/bin',
      APPRUN_STARTUP_PATH: `${MOUNT}/usr/bin:/bin`,
      PATH: `/home/mara/new:${MOUNT}/usr/bin:/bin`,
    }
    expect(cleanEnvironment(env, 'linux')).toEqual({ PATH: '/home/mara/new:/bin' })
  })

  it.each(['/', '/usr', '/home', HOME, 'relative', '', '/home/mara/'])(
    "removes no entry as a wrapper's if its folder claims to be %j",
    (folder) => {
      const env = { ...SESSION, APPDIR: folder, SNAP: folder }
      expect(cleanEnvironment(env, 'linux')).toMatchObject(SESSION)
    },
  )

  it("loses Electron's variables on Windows in any spelling, and nothing else", () => {
    const env = {
      Path: 'C:\\Windows',
      Electron_Run_As_Node: '1',
      SNAP: 'C:\\snap',
      APPDIR: 'C:\\app',
    }
    expect(cleanEnvironment(env, 'win32')).toEqual({
      Path: 'C:\\Windows',
      SNAP: 'C:\\snap',
      APPDIR: 'C:\\app',
    })
  })
})
