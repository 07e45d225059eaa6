import { existsSync, readFileSync } from 'node:fs'
import { arch } from 'node:os'
import { resolve } from 'node:path'

import { AppError } from '../../src-shared/domain/app-error'
import { OFFICIAL_SOURCE } from '../../src-shared/domain/catalog/listed-ref'
import { type CustomServer, openText } from '../../src-shared/domain/installation/custom-server'
import type { LaunchPreview } from '../../src-shared/domain/installation/launch-plan'
import { isJsonObject } from '../../src-shared/domain/json-object'
import { findOffer, type Offer } from '../../src-shared/domain/server-json/offer'
import { preferredOffer } from '../../src-shared/domain/server-json/preferred-offer'
import { fieldsOfOffer } from '../../src-shared/form/to-form-fields'
import { caseValues } from './plan'
import { readJson } from './read-json'
import type { VetCore } from './vet-core'

/** The target of `patchbay vet`. */
export type VetTarget =
  | { readonly kind: 'command'; readonly argv: readonly string[] }
  | { readonly kind: 'url'; readonly url: string }
  | { readonly kind: 'bundle'; readonly path: string }
  | { readonly kind: 'entry'; readonly path: string }
  | { readonly kind: 'registry'; readonly name: string }
  | { readonly kind: 'installed'; readonly name: string; readonly profileDir: string }

/** A server that is set up once the user approves its command. */
export type PreparedTarget = {
  /** The exact command or address, secrets masked. */
  readonly command: string
  /** Sets up the server and lets it start; resolves to its installation. */
  readonly approve: () => Promise<string>
}

/** A registry's server name: reverse DNS, a slash, a name. */
const REGISTRY_NAME = /^[\w.-]+\.[\w.-]+\/[\w.-]+$/u

/** Reads the target of a command line. Throws INVALID_REQUEST. */
export function readTarget(
  named: readonly string[],
  command: readonly string[],
  profileDir: string,
): VetTarget {
  const [name] = named
  if (command.length > 0 && named.length === 0) return { kind: 'command', argv: command }
  if (name === undefined || named.length > 1 || command.length > 0)
    throw new AppError('INVALID_REQUEST', 'patchbay vet takes one server.', {
      hint: 'Name a server.json, a bundle, a registry name, an installed server, or an address; or write -- and a command.',
    })
  if (/^https?:\/\//iu.test(name)) return { kind: 'url', url: name }
  const path = resolve(name)
  if (existsSync(path))
    return /\.(?:mcpb|dxt)$/iu.test(name) ? { kind: 'bundle', path } : { kind: 'entry', path }
  if (REGISTRY_NAME.test(name)) return { kind: 'registry', name }
  return { kind: 'installed', name, profileDir }
}

/** Prepares a target's server. Throws INVALID_REQUEST if values are missing, and as the core's requests do. */
export async function setUpTarget(
  core: VetCore,
  { target, values }: { readonly target: VetTarget; readonly values: string | undefined },
): Promise<PreparedTarget> {
  const typed: unknown = values === undefined ? {} : readJson(resolve(values))
  switch (target.kind) {
    case 'command':
    case 'url':
      return custom(core, target, typed)
    case 'installed':
      return installed(core)
    case 'bundle':
    case 'entry':
    case 'registry':
      return listed(core, await entryIdOf(core, target), typed)
  }
}

async function custom(
  { call }: VetCore,
  target: Extract<VetTarget, { kind: 'command' | 'url' }>,
  typed: unknown,
): Promise<PreparedTarget> {
  const { environmentVariables, headers } = isJsonObject(typed) ? typed : {}
  const [command = '', ...args] = target.kind === 'command' ? target.argv : []
  const server: CustomServer =
    target.kind === 'url'
      ? {
          ...{ kind: 'address', type: 'streamable-http', url: openText(target.url) },
          headers: pairsOf(headers),
        }
      : {
          ...{ kind: 'command', command, args: args.map(openText) },
          env: pairsOf(environmentVariables),
        }
  // Its paths are relative to the user's folder.
  const cwd = target.kind === 'command' ? process.cwd() : undefined
  const { preview, problems } = await call('customServer.preview', { server, cwd })
  const [problem] = problems
  if (preview === null || problem)
    throw new AppError('INVALID_REQUEST', problem?.message ?? 'There is no command.')
  return {
    command: commandOf(preview),
    approve: async () => {
      const name = target.kind === 'url' ? new URL(target.url).host : command
      const draft = { name: name.slice(0, 120), server, cwd, budgets: {} }
      const approved = { approvedPlan: preview.planHash, start: false }
      return (await call('customServer.save', { ...draft, ...approved })).installationId
    },
  }
}

function pairsOf(pairs: unknown): { name: string; value: ReturnType<typeof openText> }[] {
  return Object.entries(isJsonObject(pairs) ? pairs : {}).map(([name, value]) => ({
    name,
    value: [{ kind: 'secret', secret: String(value) }],
  }))
}

async function installed({ call }: VetCore): Promise<PreparedTarget> {
  const { servers } = await call('app.snapshot', {})
  const installationId = servers[0]?.installationId ?? ''
  const opened = await call('installation.read', { installationId })
  const { values, cwd, name, secrets, budgets } = opened
  const preview = await call('launch.preview', { of: { installationId }, values, secrets, cwd })
  return {
    command: commandOf(preview),
    approve: async () => {
      if (opened.source === 'hand') return installationId
      const approvedPlan = preview.planHash
      const draft = { installationId, name, values, secrets, budgets, cwd }
      await call('installation.update', { ...draft, approvedPlan, start: false })
      return installationId
    },
  }
}

async function entryIdOf(
  { call }: VetCore,
  target: Extract<VetTarget, { kind: 'bundle' | 'entry' | 'registry' }>,
): Promise<string> {
  if (target.kind === 'bundle')
    return (await call('bundle.openFile', { openingId: 'vet', path: target.path })).entryId
  if (target.kind === 'entry') {
    const text = readFileSync(target.path, 'utf8')
    const read = await call('configuration.read', { text, choices: [] })
    if (read.kind === 'entry') return read.entry.entryId
    throw new AppError('INVALID_REQUEST', `${target.path} is no server.json.`)
  }
  return latestOf(call, target.name)
}

/** The official registry's newest version. Throws INVALID_REQUEST if there is none. */
async function latestOf(call: VetCore['call'], name: string): Promise<string> {
  const ref = { sourceId: OFFICIAL_SOURCE, name }
  try {
    const { versions, fault } = await call('catalog.versions', ref)
    if (fault) throw new AppError('INVALID_REQUEST', fault.message, { hint: fault.hint })
    const latest = versions.find(({ isLatest }) => isLatest) ?? versions[0]
    if (latest)
      return (await call('catalog.readVersion', { ...ref, version: latest.version })).entryId
  } catch (cause) {
    if (!(cause instanceof AppError && cause.code === 'NOT_FOUND')) throw cause
  }
  throw new AppError('INVALID_REQUEST', `The registry lists no server named ${name}.`, {
    hint: 'Check the name. For a file, write its path as ./FILE.',
  })
}

async function listed({ call }: VetCore, entryId: string, typed: unknown): Promise<PreparedTarget> {
  const { server } = await call('catalog.read', { entryId })
  const ref = preferredOffer(server, { platform: process.platform, arch: arch() })
  const offer = ref && findOffer(server, ref)
  if (!ref || !offer)
    throw new AppError('INVALID_REQUEST', `${server.name} has nothing that can run here.`)
  const of = { entryId, offer: ref }
  const values = caseValues(offer, typed)
  const preview = await call('launch.preview', { of, values })
  checkProblems(preview, offer)
  return {
    command: commandOf(preview),
    approve: async () => {
      const name = (server.title ?? server.name).slice(0, 120)
      const approved = { approvedPlan: preview.planHash, start: false }
      return (await call('installation.create', { ...of, name, values, ...approved }))
        .installationId
    },
  }
}

function checkProblems({ problems }: LaunchPreview, offer: Offer): void {
  if (problems.length === 0) return
  const fields = fieldsOfOffer(offer)
  const named = problems.map(({ fieldKey, message }) => {
    const { place = '' } = fields.find(({ key }) => key === fieldKey)?.target ?? {}
    return `${place}: ${message}`
  })
  throw new AppError('INVALID_REQUEST', `Values are missing or invalid. ${named.join(' ')}`, {
    hint: 'Give them in a file with --values, by the names of the server.json.',
  })
}

function commandOf(preview: LaunchPreview): string {
  if (preview.kind === 'remote') return preview.url.text
  const env = preview.env.map(({ name, text }) => `${name}=${text}`)
  return [...env, preview.command, ...preview.args.map(({ text }) => text)].join(' ')
}
