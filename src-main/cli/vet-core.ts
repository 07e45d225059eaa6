import { existsSync, readFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'

import manifest from '../../package.json'
import { AppError } from '../../src-shared/domain/app-error'
import { isJsonObject, type JsonObject } from '../../src-shared/domain/json-object'
import type { RequestChannel, RequestInput, RequestOutput } from '../../src-shared/ipc/contract'
import { loadKeytar } from '../adapters/keytar-secret-store'
import { consumePassphrase } from '../adapters/passphrase'
import createCatalogWorker from '../core/catalog/thread/catalog-thread?nodeWorker'
import { documentFile } from '../core/installation/store/document-over-conf'
import type { DocumentStore, Keychain } from '../core/ports'
import { memoryBackend } from '../core/secrets/secret-vault'
import createTokenWorker from '../core/tools/tokens/token-thread?nodeWorker'
import { answer } from '../ipc/answer'
import { openPatchbay } from '../patchbay/open-patchbay'

/** A core for checking one server: stores nothing and doesn't change the user's profile. */
export type VetCore = {
  readonly call: <C extends RequestChannel>(
    channel: C,
    input: RequestInput<C>,
  ) => Promise<RequestOutput<C>>
  /** Ends every process it started. */
  readonly close: () => Promise<void>
}

type InstalledServer = { readonly name: string; readonly profileDir: string }

/** Unused ports for the gateway. */
const PORTS = { from: 20_000, count: 40_000 }

/** Opens a core with an empty profile in `folder`; reads an installed server's settings and secrets. */
export function openVetCore(folder: string, server?: InstalledServer): VetCore {
  const installed = server && installedDocument(server)
  const patchbay = openPatchbay({
    threads: { createCatalogWorker, createTokenWorker },
    computer: {
      syncsCatalog: false,
      appPlace: { platform: process.platform, home: join(folder, 'home'), env: {} },
    },
    profile: {
      profileDir: folder,
      document: memoryDocument(join(folder, 'settings.json'), installed ?? { version: 1 }),
      passphrase: installed ? consumePassphrase() : undefined,
      loadSecrets: async () => (installed ? readOnly(await loadKeytar()) : memoryBackend()),
    },
    info: {
      version: manifest.version,
      wayIn: 'browser',
      platform: process.platform,
      arch: process.arch,
      homeDir: homedir(),
      ownCommand: { argv: ['patchbay'], env: {} },
      canPickPath: false,
    },
  })
  return {
    call: async (channel, input) => {
      const reply = await answer(patchbay.handlers, channel, input)
      if (reply.ok) return reply.value
      const { code, message, hint } = reply.error
      throw new AppError(code, message, { hint })
    },
    close: async () => {
      await patchbay.close()
      await patchbay.finish()
    },
  }
}

function memoryDocument(file: string, content: JsonObject): DocumentStore {
  const port = PORTS.from + (process.pid % PORTS.count)
  const settings = isJsonObject(content.settings) ? content.settings : {}
  let document: unknown = { ...content, settings: { ...settings, gatewayPort: port } }
  return { file, read: () => document, write: (next) => (document = next) }
}

/** A profile's settings file with one of its servers, turned off. Throws NOT_FOUND. */
function installedDocument({ name, profileDir }: InstalledServer): JsonObject {
  const file = documentFile(profileDir)
  const document: unknown = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined
  const all =
    isJsonObject(document) && Array.isArray(document.installations)
      ? document.installations.filter(isJsonObject)
      : []
  const found = all.filter((one) => one.name === name || one.alias === name)
  const [one] = found
  if (!isJsonObject(document) || one === undefined || found.length > 1)
    throw new AppError(
      'INVALID_REQUEST',
      `${name} is no file, registry name, address, or installed server.`,
      {
        hint: 'Use the path of a server.json, or the name as the app shows it.',
      },
    )
  return { ...document, installations: [{ ...one, enabled: false }], removed: [], earlier: [] }
}

/** Reads the keychain; writes stay in memory. */
function readOnly(keychain: Keychain): Keychain {
  const written = memoryBackend()
  return {
    ...written,
    get: async (key) => (await written.get(key)) ?? keychain.get(key),
    keys: async () => [...new Set([...(await keychain.keys()), ...(await written.keys())])],
  }
}
