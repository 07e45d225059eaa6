import { resolve } from 'node:path'

import * as z from 'zod'

import { AppError } from '../../src-shared/domain/app-error'
import { errorMessage } from '../../src-shared/domain/error-message'
import { isJsonObject } from '../../src-shared/domain/json-object'
import type { Offer } from '../../src-shared/domain/server-json/offer'
import {
  type ParsedServer,
  parseServerJson,
} from '../../src-shared/domain/server-json/parse-server-json'
import { declaredIndex } from '../../src-shared/domain/server-json/tolerant-reader'
import { buildLaunchPlan } from '../core/launch/building/build-launch-plan'
import { startsKind } from '../core/launch/packages/package-runners'
import { readJson } from './read-json'

/** Problems that make an entry, package or remote unusable as its publisher intends. */
const CheckCode = z.enum([
  'invalid-entry',
  'invalid-argument-type',
  'invalid-character',
  'invalid-address',
  'missing-address',
  'missing-identifier',
  'unknown-transport',
  'unsupported-registry-type',
  'too-large',
])
type CheckCode = z.infer<typeof CheckCode>

/** A problem with its place in the entry. */
type CheckError = {
  readonly name: string
  readonly version: string
  readonly path: string
  readonly code: CheckCode
  readonly message: string
}

type CatalogReport = {
  readonly entries: number
  readonly parsed: number
  /** Entries with at least one package or remote that has a form. */
  readonly withForm: number
  /** Ignored or completed parts that make nothing unusable. */
  readonly notices: number
  readonly errors: readonly CheckError[]
}

/** Reads the API's `{servers}`, a list of entries, or one server.json, with or without `{server, _meta}` around it. */
export function checkCatalog(raw: unknown): CatalogReport {
  const entries = entriesOf(raw)
  const checks = entries.map(checkEntry)
  return {
    entries: entries.length,
    parsed: checks.filter(({ isParsed }) => isParsed).length,
    withForm: checks.filter(({ hasForm }) => hasForm).length,
    notices: checks.reduce((sum, { notices }) => sum + notices, 0),
    errors: checks.flatMap(({ errors }) => errors),
  }
}

type EntryCheck = {
  readonly isParsed: boolean
  readonly hasForm: boolean
  readonly notices: number
  readonly errors: readonly CheckError[]
}

function entriesOf(raw: unknown): readonly unknown[] {
  if (Array.isArray(raw)) return raw
  return isJsonObject(raw) && Array.isArray(raw.servers) ? raw.servers : [raw]
}

function checkEntry(raw: unknown): EntryCheck {
  try {
    return checkParsed(parseServerJson(raw))
  } catch (error) {
    const message = errorMessage(error)
    const refusal = { ...nameOf(raw), path: '', code: 'invalid-entry' as const, message }
    return { isParsed: false, hasForm: false, notices: 0, errors: [refusal] }
  }
}

function checkParsed(parsed: ParsedServer): EntryCheck {
  const { name, version } = parsed.server
  const offers = offersOf(parsed)
  const shown = parsed.notices.map(({ code, path, message }) => ({
    path,
    message,
    code: CheckCode.safeParse(code).data,
  }))
  const faults = offers.flatMap(({ offer, path }) => faultOf(offer, path))
  const errors = [
    ...shown.flatMap(({ code, path, message }) =>
      code === undefined ? [] : [{ path, code, message }],
    ),
    ...faults,
  ]
  return {
    isParsed: true,
    hasForm: offers.some(({ offer }) => canBeStarted(offer)),
    notices: shown.filter(({ code }) => code === undefined).length,
    errors: errors.map((error) => ({ name, version, ...error })),
  }
}

function offersOf({ server, leftOut }: ParsedServer): { offer: Offer; path: string }[] {
  const pathIn = (list: string, index: number) => `${list}[${declaredIndex(leftOut, list, index)}]`
  return [
    ...server.packages.map((pkg, index) => ({
      offer: { kind: 'package', pkg } as const,
      path: pathIn('packages', index),
    })),
    ...server.remotes.map((remote, index) => ({
      offer: { kind: 'remote', remote } as const,
      path: pathIn('remotes', index),
    })),
  ]
}

/** A bundle contains its form; its package alone has no command. */
function isBundle(offer: Offer): boolean {
  return offer.kind === 'package' && offer.pkg.registryType === 'mcpb'
}

function canBeStarted(offer: Offer): boolean {
  return offer.kind === 'remote' || isBundle(offer) || startsKind(offer.pkg.registryType)
}

function faultOf(offer: Offer, path: string): Pick<CheckError, 'path' | 'code' | 'message'>[] {
  if (isBundle(offer)) return []
  try {
    buildLaunchPlan(offer, {}, new Map())
    return []
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    const { message } = error
    return canBeStarted(offer)
      ? [{ path: `${path}.identifier`, code: 'invalid-character', message }]
      : [{ path: `${path}.registryType`, code: 'unsupported-registry-type', message }]
  }
}

function nameOf(raw: unknown): { name: string; version: string } {
  const server = isJsonObject(raw) && isJsonObject(raw.server) ? raw.server : raw
  const { name, version } = isJsonObject(server) ? server : {}
  return {
    name: typeof name === 'string' ? name : '',
    version: typeof version === 'string' ? version : '',
  }
}

/** `patchbay catalog check FILE`: prints the state of a registry's entries as JSON. Throws INVALID_REQUEST. */
export function catalogCheck(file: string): void {
  const report = checkCatalog(readJson(resolve(file)))
  process.stdout.write(`${JSON.stringify(report, null, 2)}\n`)
}
