import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { describe, expect, it } from 'vitest'

import { tempFolder } from '../../e2e/fixtures/temp-folder'
import { openLink } from './open-own-link'

const ADDRESS = 'https://a.example/?a=1&b=2'

/** A computer whose `xdg-open` records its input, and exits with a code. */
function computerWith(exitCode: number | undefined): {
  readonly folder: string
  readonly opened: () => string | undefined
} {
  const folder = tempFolder('browser')
  const [program, file] = [join(folder, 'xdg-open'), join(folder, 'opened')]
  if (exitCode !== undefined) {
    const line = `"$1" "\${LD_LIBRARY_PATH:-none}" "\${ELECTRON_RUN_AS_NODE:-none}" "$XDG_CURRENT_DESKTOP"`
    writeFileSync(
      program,
      `#!/bin/sh\nprintf '%s ' ${line} > '${file}'\nexit ${String(exitCode)}\n`,
    )
    chmodSync(program, 0o755)
  }
  return { folder, opened: () => (existsSync(file) ? readFileSync(file, 'utf8') : undefined) }
}

async function openAt(
  folder: string,
  added: Record<string, string>,
  platform: NodeJS.Platform = 'linux',
): Promise<string[]> {
  const others: string[] = []
  const environment = { PATH: folder, XDG_CURRENT_DESKTOP: 'KDE', ...added }
  const open = (): Promise<void> => Promise.resolve(void others.push('opened'))
  await openLink(ADDRESS, open, { platform, environment })
  return others
}

const WRAPPED = {
  APPDIR: '/tmp/.mount_x',
  LD_LIBRARY_PATH: '/tmp/.mount_x/lib',
  ELECTRON_RUN_AS_NODE: '1',
  XDG_CURRENT_DESKTOP: 'Unity',
  ORIGINAL_XDG_CURRENT_DESKTOP: 'KDE',
}

describe.skipIf(process.platform === 'win32')('E12: a link opened in the browser', () => {
  it('gets no variables that a wrapper added to the environment', async () => {
    const { folder, opened } = computerWith(0)
    expect(await openAt(folder, WRAPPED)).toEqual([])
    expect(opened()).toBe(`${ADDRESS} none none KDE `)
  })

  it('opens the ordinary way without a wrapper, and on other systems', async () => {
    const { folder, opened } = computerWith(0)
    expect(await openAt(folder, {})).toEqual(['opened'])
    expect(await openAt(folder, WRAPPED, 'darwin')).toEqual(['opened'])
    expect(opened()).toBeUndefined()
  })

  it('opens the ordinary way if the system has no opener', async () => {
    expect(await openAt(computerWith(undefined).folder, WRAPPED)).toEqual(['opened'])
  })

  it('rejects if no browser opens', async () => {
    await expect(openAt(computerWith(3).folder, WRAPPED)).rejects.toThrow('Can’t open a browser.')
  })

  it('counts as opened while its program becomes the browser and keeps running', async () => {
    const { folder } = computerWith(0)
    writeFileSync(join(folder, 'xdg-open'), '#!/bin/sh\nexec /bin/sleep 5\n')
    const environment = { PATH: folder, ...WRAPPED }
    const open = (): Promise<void> => Promise.reject(new Error('The ordinary way was taken.'))
    await openLink(ADDRESS, open, { platform: 'linux', environment, limitMs: 50 })
  })
})
