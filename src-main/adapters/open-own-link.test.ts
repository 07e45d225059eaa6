import { spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'

import { describe, expect, it } from 'vitest'

import { tempFolder } from '../../e2e/fixtures/temp-folder'
import { openOwnLink } from './open-own-link'
import { removeOpeningPage } from './opening-page'

const TOKEN = 'token-of-the-one-time-link'
const LINK = `http://127.0.0.1:4711/#token=${TOKEN}`
/** Any other account. */
const NOBODY = 65_534

/** A desktop whose programs give these answers, and whose `xdg-open` runs a script. */
function desktopWith(
  answers: { readonly browser?: string; readonly viewer?: string },
  opener = 'exit 0',
): string {
  const folder = tempFolder('desktop')
  const scripts = {
    'xdg-open': opener,
    'xdg-settings': `echo '${answers.browser ?? ''}'`,
    'xdg-mime': `echo '${answers.viewer ?? ''}'`,
  }
  for (const [name, script] of Object.entries(scripts)) {
    writeFileSync(join(folder, name), `#!/bin/sh\n${script}\n`)
    chmodSync(join(folder, name), 0o755)
  }
  return folder
}

/** What a Linux desktop opens, and how. */
async function openOn(
  desktop: string,
  added: Readonly<Record<string, string>> = {},
  snapApps?: string,
): Promise<{ readonly by: string; readonly target: string; readonly profileDir: string }> {
  const profileDir = tempFolder('profile')
  const targets: string[] = []
  const by = await openOwnLink(
    { profileDir, link: LINK },
    (target) => Promise.resolve(void targets.push(target)),
    {
      platform: 'linux',
      environment: { PATH: desktop, ...added },
      ...(snapApps !== undefined && { snapApps }),
    },
  )
  const [target = ''] = targets
  return { by, target, profileDir }
}

/** What another account reads of all processes during `run`, which gets the reader. */
async function seenByAnother(run: (read: () => Promise<void>) => Promise<void>): Promise<string> {
  // A system program: the other account need not reach this test's.
  const script = 'echo ready >&2; read -r _; cat /proc/[0-9]*/cmdline 2>/dev/null'
  const other = spawn('/bin/sh', ['-c', script], { uid: NOBODY, gid: NOBODY, cwd: '/' })
  let seen = ''
  other.stdout.on('data', (chunk: Buffer) => (seen += chunk.toString().replaceAll('\0', ' ')))
  const closed = once(other, 'close')
  await once(other.stderr, 'data')
  await run(async () => {
    other.stdin.write('read\n')
    await closed
  })
  return seen
}

const isRoot = process.platform === 'linux' && process.getuid?.() === 0

describe.skipIf(process.platform === 'win32')("D7: the link's way to the browser", () => {
  it('is a private page in the profile', async () => {
    const { by, target, profileDir } = await openOn(desktopWith({}))
    expect({ by, target }).toEqual({ by: 'page', target: join(profileDir, 'open/patchbay.html') })
    expect(readFileSync(target, 'utf8')).toContain(`content="0; url=${LINK}"`)
    expect(statSync(target).mode & 0o777).toBe(0o600)
    expect(statSync(join(profileDir, 'open')).mode & 0o777).toBe(0o700)
    removeOpeningPage(profileDir)
    expect(existsSync(target)).toBe(false)
  })

  it("replaces a symbolic link in the page's place", async () => {
    const profileDir = tempFolder('profile')
    const elsewhere = join(tempFolder('elsewhere'), 'mine.html')
    writeFileSync(elsewhere, 'mine')
    mkdirSync(join(profileDir, 'open'))
    symlinkSync(elsewhere, join(profileDir, 'open/patchbay.html'))
    const environment = { PATH: desktopWith({}) }
    const open = (): Promise<void> => Promise.resolve()
    await openOwnLink({ profileDir, link: LINK }, open, { platform: 'linux', environment })
    expect(readFileSync(elsewhere, 'utf8')).toBe('mine')
    expect(readFileSync(join(profileDir, 'open/patchbay.html'), 'utf8')).toContain(TOKEN)
  })

  it.skipIf(!isRoot)(
    `shows in no argument list that another account reads${isRoot ? '' : ': not tried, needs root on Linux'}`,
    async () => {
      const profileDir = tempFolder('profile')
      const started = join(profileDir, 'started')
      const opener = `: > '${started}'\nwhile [ -e '${started}' ]; do /bin/sleep 0.1; done`
      const environment = { PATH: desktopWith({}, opener), ELECTRON_RUN_AS_NODE: '1' }
      const seen = await seenByAnother(async (read) => {
        const opening = openOwnLink(
          { profileDir, link: LINK },
          () => Promise.reject(new Error('The opener of the desktop is used.')),
          { platform: 'linux', environment },
        )
        await expect.poll(() => existsSync(started)).toBe(true)
        await read()
        rmSync(started)
        await opening
      })
      expect(seen).toContain('xdg-open')
      expect(seen).not.toContain(TOKEN)
    },
  )

  it.each([
    ['a browser of snap, which reads no hidden folder', { browser: 'firefox_firefox.desktop' }, {}],
    ['pages open in an editor', { browser: 'firefox.desktop', viewer: 'editor.desktop' }, {}],
    ['the browser is on Windows', {}, { WSL_DISTRO_NAME: 'Ubuntu' }],
    ['the browser is at the far end of an editor', {}, { VSCODE_IPC_HOOK_CLI: '/run/x.sock' }],
  ])('keeps it in the terminal and opens the bare address if %s', async (_what, answers, env) => {
    const snapApps = tempFolder('snap')
    writeFileSync(join(snapApps, 'firefox_firefox.desktop'), '')
    const { by, target, profileDir } = await openOn(desktopWith(answers), env, snapApps)
    expect({ by, target }).toEqual({ by: 'address', target: 'http://127.0.0.1:4711/' })
    expect(existsSync(join(profileDir, 'open'))).toBe(false)
  })

  it('is a page if the browser opens pages', async () => {
    const answers = { browser: 'firefox.desktop', viewer: 'firefox.desktop' }
    expect(await openOn(desktopWith(answers))).toMatchObject({ by: 'page' })
  })

  it("keeps it in the terminal if the profile isn't writable", async () => {
    const profileDir = join(tempFolder('profile'), 'file')
    writeFileSync(profileDir, '')
    const environment = { PATH: desktopWith({}) }
    const open = (): Promise<void> => Promise.resolve()
    const options = { platform: 'linux', environment } as const
    expect(await openOwnLink({ profileDir, link: LINK }, open, options)).toBe('address')
  })
})
