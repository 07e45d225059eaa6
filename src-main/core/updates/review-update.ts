import { diffArrays } from 'diff'

import { AppError } from '../../../src-shared/domain/app-error'
import type { CatalogEntry } from '../../../src-shared/domain/catalog/catalog-entry'
import {
  type EarlierVersion,
  type EarlierVersionView,
  refOfEarlier,
  type Versioned,
} from '../../../src-shared/domain/installation/earlier-version'
import type { Installation } from '../../../src-shared/domain/installation/installation'
import type {
  ChangedLine,
  LaunchChanges,
} from '../../../src-shared/domain/installation/launch-changes'
import type { LaunchPreview } from '../../../src-shared/domain/installation/launch-plan'
import type { UpdateReview } from '../../../src-shared/domain/installation/update-review'
import type { FieldValues } from '../../../src-shared/domain/server-json/field-values'
import { findOffer, type Offer } from '../../../src-shared/domain/server-json/offer'
import { carryOver } from '../../../src-shared/form/carry-over'
import { matchOffer } from '../../../src-shared/form/match-offer'
import { fieldsOfOffer } from '../../../src-shared/form/to-form-fields'
import { revisionOf } from '../installation/draft'
import { type InstallationService, offerOf } from '../installation/installation-service'
import { movedPlaces } from '../installation/secrets/move-secrets'

/**
 * Reviews an update: its values by name, the fields that disappear, and the changes of the command. Throws UNSUPPORTED_PACKAGE if the
 * version has no offer of the installed kind.
 */
export function reviewUpdate(
  installations: InstallationService,
  installation: Installation,
  entry: CatalogEntry,
): UpdateReview {
  const present = offerOf(installation)
  const ref = matchOffer(present, entry.server)
  const offer = ref && findOffer(entry.server, ref)
  if (ref === undefined || offer === undefined)
    throw new AppError(
      'UNSUPPORTED_PACKAGE',
      `Version ${entry.server.version} of ${entry.server.name} no longer has the package or remote that ${installation.name} uses.`,
      { hint: 'Add the new version from the catalog, then remove this one.' },
    )
  const { secrets: moves, dropped, added, ...carried } = carryOver(present, offer, installation)
  // A new field starts with the value that its entry proposes.
  const proposed = Object.entries(entry.proposed ?? {}).filter(([key]) => added.includes(key))
  const values: FieldValues = { ...Object.fromEntries(proposed), ...carried.values }
  const secrets = movedPlaces(installation.secrets, moves)
  return {
    source: entry.source,
    server: entry.server,
    offer: ref,
    fromVersion: installation.server.version,
    values,
    secrets,
    dropped: [...dropped],
    added: [...added],
    changes: compareLaunches(launchOf(installations, installation), {
      preview: installations.preview(offer, values, secrets, installation.cwd),
      folder: folderOf(offer),
    }),
    revision: revisionOf(installation),
  }
}

/** Folder in which a bundle is unpacked. */
function folderOf(offer: Offer): string | undefined {
  return offer.kind === 'package' ? offer.pkg.workingFolder : undefined
}

/** A launch with its bundle's folder, whose name differs per file and means nothing to a user. */
type ComparedLaunch = {
  readonly preview: LaunchPreview
  readonly folder?: string | undefined
}

/** Placeholder for a bundle's folder. */
const BUNDLE = '<bundle>'

/** Compares two launches for display: argv items stay in order, everything else is sorted by name. */
export function compareLaunches(before: ComparedLaunch, after: ComparedLaunch): LaunchChanges {
  const [old, next] = [before, after].map(({ preview, folder }) => ({
    command: commandLines(preview).map((line) => withoutFolder(line, folder)),
    pairs: pairLines(preview).map((line) => withoutFolder(line, folder)),
  }))
  return {
    command: compareLines(old?.command ?? [], next?.command ?? []),
    pairs: compareLines(old?.pairs ?? [], next?.pairs ?? []),
  }
}

function withoutFolder(line: string, folder: string | undefined): string {
  return folder === undefined ? line : line.replaceAll(folder, BUNDLE)
}

function compareLines(before: readonly string[], after: readonly string[]): ChangedLine[] {
  return diffArrays([...before], [...after]).flatMap(({ added, removed, value }) =>
    value.map((text) => ({ kind: added ? 'added' : removed ? 'removed' : 'same', text }) as const),
  )
}

function commandLines(preview: LaunchPreview): string[] {
  if (preview.kind === 'remote') return [`${preview.type} ${preview.url.text}`]
  const { command, args, cwd } = preview
  const folder = cwd === undefined ? [] : [`in ${cwd}`]
  return [command, ...args.map(({ text }) => text), ...folder]
}

function pairLines(preview: LaunchPreview): string[] {
  const [pairs, sign] = preview.kind === 'remote' ? [preview.headers, ': '] : [preview.env, '=']
  return pairs.map(({ name, text }) => `${name}${sign}${text}`).toSorted()
}

/** Number of fields that fit in a line or two. */
const MAX_FIELDS = 6
const MAX_LABEL_LENGTH = 80

/** Returns an installation's earlier versions with their differences to the current one. Throws NOT_FOUND. */
export function viewEarlier(
  installations: InstallationService,
  installationId: string,
): EarlierVersionView[] {
  const present = installations.read(installationId)
  return installations.earlier.of(installationId).map((version) => ({
    ...refOfEarlier(version),
    differs: differences(installations, version, present),
    asksAgain: !installations.isApproved(version),
  }))
}

function differences(
  installations: InstallationService,
  version: EarlierVersion,
  present: Installation,
): string[] {
  const { command, pairs } = compareLaunches(
    launchOf(installations, present),
    launchOf(installations, version),
  )
  const hasUnseen = (lines: typeof command): boolean => lines.some(({ kind }) => kind !== 'same')
  const fields = differentFields(version, present)
  const more = fields.length - MAX_FIELDS
  const isRemote = version.offer.kind === 'remote'
  return [
    ...(hasUnseen(command) ? [isRemote ? 'address' : 'command'] : []),
    ...(hasUnseen(pairs) ? [isRemote ? 'headers' : 'environment'] : []),
    ...(isSame(version.budgets, present.budgets) ? [] : ['time limits']),
    ...fields.slice(0, MAX_FIELDS),
    ...(more > 0 ? [`${String(more)} more`] : []),
  ]
}

function launchOf(installations: InstallationService, version: Versioned): ComparedLaunch {
  return { preview: installations.previewOf(version), folder: folderOf(offerOf(version)) }
}

/** Labels of the fields whose values differ, or that only one version has a value for. */
function differentFields(version: Versioned, present: Versioned): string[] {
  const labels = new Map(
    [present, version].flatMap((one) =>
      fieldsOfOffer(offerOf(one)).map(({ key, label }) => [key, label] as const),
    ),
  )
  const hasSecret = (one: Versioned, key: string): boolean => Object.hasOwn(one.secrets, key)
  return [...labels].flatMap(([key, label]) =>
    isSame(version.values[key], present.values[key]) &&
    hasSecret(version, key) === hasSecret(present, key)
      ? []
      : [label.slice(0, MAX_LABEL_LENGTH)],
  )
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}
