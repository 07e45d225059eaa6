import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'

import type { startSecretService } from '../fixtures/secret-service'
import { AppRun, type PublishedApp } from './published-app'

/** Options for running an app. */
export type AppAttention = {
  /** Folder of its installed package. */
  readonly folder: string
  readonly profileDir: string
  /** Program of the bridge, and its keychain's name. */
  readonly bridge: string
  readonly service: string
  readonly keyring: Awaited<ReturnType<typeof startSecretService>>
  readonly model: string
}

/** A run of the app with `patchbay` on its PATH. */
export function runWithPatchbay(app: PublishedApp, needs: AppAttention): AppRun {
  const { folder, profileDir, bridge, service, keyring, model } = needs
  const bin = join(profileDir, 'bin')
  mkdirSync(bin, { recursive: true })
  const exec = `shift; PATCHBAY_KEYCHAIN_SERVICE='${service}' exec '${process.execPath}' '${bridge}' "$@"`
  writeFileSync(join(bin, 'patchbay'), `#!/bin/sh\n${exec}\n`)
  chmodSync(join(bin, 'patchbay'), 0o755)
  const path = [bin, dirname(process.execPath), process.env.PATH ?? '']
  return new AppRun(app, {
    ...{ folder, model },
    home: join(profileDir, 'home'),
    env: { PATH: path.join(delimiter), ...('env' in keyring ? keyring.env : {}) },
  })
}
