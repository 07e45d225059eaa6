import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { describe, expect, it } from 'vitest'

import { tempFolder } from '../../../e2e/fixtures/temp-folder'
import { memoryBackend, SecretVault } from './secret-vault'
import { hasSecretsFile, SecretsFile } from './secrets-file'

const PASSPHRASE = 'seven calm otters sing'
const SECRET = 'sk-abcdefghijklmnop1234567890'
/** The lowest cost that a file may use. */
const MIN_COST = { n: 2 ** 14, r: 8, p: 1 }
const none = (): Promise<never> => Promise.reject(new Error('no such library'))
const newPath = (): string => join(tempFolder('secrets'), 'secrets.encrypted.json')

/** The vault of one run. */
async function run(path: string, passphrase?: string, load = none): Promise<SecretVault> {
  const file = { path, passphrase }
  const vault = new SecretVault({ load: load, file })
  await vault.ready
  return vault
}

/** Writes a file with one secret. */
async function written(): Promise<string> {
  const path = newPath()
  await SecretsFile.create(path, PASSPHRASE, [['one', SECRET]], MIN_COST)
  return path
}

describe('E16: the encrypted file', () => {
  it('gives back what was saved, is for this account only, and holds no secret in clear', async () => {
    const path = newPath()
    const file = await SecretsFile.create(path, PASSPHRASE, [['one', SECRET]])
    await file.set('two', 'Ünïcode 🔑')
    expect(await file.delete('three')).toBe(false)
    const again = await SecretsFile.open(path, PASSPHRASE)
    expect(await again.keys()).toEqual(['one', 'two'])
    expect([await again.get('one'), await again.get('two')]).toEqual([SECRET, 'Ünïcode 🔑'])
    const text = readFileSync(path, 'latin1')
    for (const part of [SECRET, Buffer.from(SECRET).toString('base64'), PASSPHRASE, '"one"'])
      expect(text).not.toContain(part)
    if (process.platform !== 'win32') expect(statSync(path).mode & 0o777).toBe(0o600)
  })

  it('differs after each change, even if the content is the same', async () => {
    const path = newPath()
    const file = await SecretsFile.create(path, PASSPHRASE, [['one', SECRET]])
    const before = readFileSync(path, 'utf8')
    await file.set('one', SECRET)
    expect(readFileSync(path, 'utf8')).not.toBe(before)
  })

  it('accepts a passphrase in any Unicode composition', async () => {
    const path = newPath()
    await SecretsFile.create(path, 'caf\u00e9 au lait au lait', [])
    await SecretsFile.open(path, 'cafe\u0301 au lait au lait')
  })

  it.each<[string, (text: string) => string]>([
    ['changed content', (text) => text.replace(/"data":"..../u, '"data":"AAAA')],
    ['a changed cost', (text) => text.replace('"n":16384', '"n":32768')],
    ['a cost that would fill the memory', (text) => text.replace('"n":16384', '"n":1073741824')],
    ['a truncated end', (text) => text.slice(0, -20)],
    ['another format', () => '[]'],
  ])('is rejected with %s, without quoting its content', async (_what, change) => {
    const path = await written()
    writeFileSync(path, change(readFileSync(path, 'utf8')))
    const opened = SecretsFile.open(path, PASSPHRASE)
    await expect(opened).rejects.toMatchObject({ code: 'SECRET_STORE_FAILED' })
    await expect(opened).rejects.not.toThrow(/[A-Za-z0-9+/]{24}=*$/u)
  })
})

describe('E16: secrets without a keychain', () => {
  it('stay in memory until the user chooses a passphrase, and are in the file then', async () => {
    const path = newPath()
    const vault = await run(path)
    await vault.set('one', SECRET)
    expect([vault.state.kind, hasSecretsFile(path)]).toEqual(['memory', false])
    await vault.encrypt(PASSPHRASE)
    await vault.set('two', 'later')
    expect(vault.state).toEqual({ kind: 'file' })
    const file = await SecretsFile.open(path, PASSPHRASE)
    expect(await Promise.all(['one', 'two'].map(file.get))).toEqual([SECRET, 'later'])
  })

  it('are locked at the next start until the passphrase is right', async () => {
    const vault = await run(await written())
    expect(vault.state).toEqual({ kind: 'locked', movesToKeychain: false })
    await expect(vault.get('one')).rejects.toMatchObject({ code: 'SECRET_STORE_FAILED' })
    await expect(vault.set('two', 'x')).rejects.toMatchObject({ code: 'SECRET_STORE_FAILED' })
    await expect(vault.unlock('another one entirely')).rejects.toMatchObject({
      message: 'The passphrase is wrong, or the file was changed.',
    })
    expect(vault.state.kind).toBe('locked')
    await vault.unlock(PASSPHRASE)
    expect([vault.state.kind, await vault.get('one')]).toEqual(['file', SECRET])
  })

  it('are unlocked by a passphrase from the environment, with an error if that is wrong', async () => {
    const path = await written()
    expect((await run(path, PASSPHRASE)).state).toEqual({ kind: 'file' })
    expect((await run(path, 'another one entirely')).state).toMatchObject({
      ...{ kind: 'locked', problem: 'The passphrase is wrong, or the file was changed.' },
    })
  })

  it('have the new passphrase from its change on, and the old one opens nothing', async () => {
    const path = await written()
    const vault = await run(path, PASSPHRASE)
    await vault.encrypt('nine loud herons dance')
    expect((await run(path, PASSPHRASE)).state.kind).toBe('locked')
    expect(await (await run(path, 'nine loud herons dance')).get('one')).toBe(SECRET)
  })

  it('move to a keychain that becomes available, and the file is deleted only afterwards', async () => {
    const path = await written()
    const keychain = memoryBackend()
    const full = { ...keychain, set: () => Promise.reject(new Error('full')) }
    let isFull = false
    const set = (key: string, value: string): Promise<void> =>
      (isFull && !key.startsWith('probe/') ? full : keychain).set(key, value)
    const vault = await run(path, undefined, (() => Promise.resolve({ ...keychain, set })) as never)
    expect(vault.state).toEqual({ kind: 'locked', movesToKeychain: true })
    isFull = true
    await expect(vault.unlock(PASSPHRASE)).rejects.toMatchObject({ code: 'SECRET_STORE_FAILED' })
    expect(hasSecretsFile(path)).toBe(true)
    isFull = false
    await vault.unlock(PASSPHRASE)
    expect([vault.state.kind, hasSecretsFile(path)]).toEqual(['keychain', false])
    expect(await keychain.get('one')).toBe(SECRET)
  })

  it('are deleted with the file if the passphrase is lost', async () => {
    const path = await written()
    const vault = await run(path)
    await vault.deleteFile()
    expect([vault.state.kind, hasSecretsFile(path)]).toEqual(['memory', false])
    expect(await vault.get('one')).toBeNull()
  })
})
