import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'

import { afterAll, describe, expect, it } from 'vitest'

import { readReleaseKey, verifyManifest } from './update-manifest'

const SCRIPT = resolve(import.meta.dirname, '../../../scripts/sign-manifest.mjs')
const folder = mkdtempSync(join(tmpdir(), 'patchbay-signing-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const keyFile = join(folder, 'key.pem')
const manifest = join(folder, 'latest.yml')
const SHA512 = `${'A'.repeat(86)}==`

function signWith(env: NodeJS.ProcessEnv): { status: number | null; stderr: string } {
  const options = { env: { ...process.env, ...env }, encoding: 'utf8' } as const
  return spawnSync(process.execPath, [SCRIPT, 'sign', manifest], options)
}

describe('D8: the script that signs a manifest', () => {
  const made = execFileSync(process.execPath, [SCRIPT, 'keys', keyFile], { encoding: 'utf8' })
  const publicKey = made.trim()
  const privateKey = readFileSync(keyFile, 'utf8')
  writeFileSync(manifest, `version: 2.0.0\nfiles:\n  - {url: a, sha512: ${SHA512}, size: 1}\n`)

  it('makes signatures that the app accepts', () => {
    const env = { PATCHBAY_UPDATE_PRIVATE_KEY: privateKey, MAIN_VITE_UPDATE_KEY: publicKey }
    expect(signWith(env)).toMatchObject({ status: 0, stderr: '' })
    const signature = readFileSync(`${manifest}.sig`, 'utf8')
    const signed = { bytes: readFileSync(manifest), signature }
    const { version } = verifyManifest(signed, readReleaseKey(publicKey), '1.0.0')
    expect(version).toBe('2.0.0')
  })

  it("rejects a key that the build doesn't know", () => {
    const env = { PATCHBAY_UPDATE_PRIVATE_KEY: privateKey, MAIN_VITE_UPDATE_KEY: 'another' }
    expect(signWith(env)).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('does not belong') as string,
    })
  })

  it("doesn't overwrite a private key", () => {
    const again = spawnSync(process.execPath, [SCRIPT, 'keys', keyFile])
    expect(again.status).not.toBe(0)
    expect(readFileSync(keyFile, 'utf8')).toBe(privateKey)
  })
})
