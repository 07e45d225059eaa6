import type {
  EarlierVersion,
  EarlierVersionView,
  Versioned,
} from '../../../src-shared/domain/installation/earlier-version'
import { refOfEarlier } from '../../../src-shared/domain/installation/earlier-version'
import type { Installation } from '../../../src-shared/domain/installation/installation'
import type { LaunchPreview } from '../../../src-shared/domain/installation/launch-plan'
import { fieldsOfOffer } from '../../../src-shared/form/to-form-fields'
import { type InstallationService, offerOf } from '../installation/installation-service'
import { compareLaunches } from './compare-launches'

/** As many fields are named as can be read in a line or two. */
const MOST_FIELDS = 6
const LONGEST_LABEL = 80

/** The earlier versions of an installation beside what it is now. Throws NOT_FOUND. */
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
  const more = fields.length - MOST_FIELDS
  const isRemote = version.offer.kind === 'remote'
  return [
    ...(hasUnseen(command) ? [isRemote ? 'address' : 'command'] : []),
    ...(hasUnseen(pairs) ? [isRemote ? 'headers' : 'environment'] : []),
    ...(isSame(version.budgets, present.budgets) ? [] : ['time limits']),
    ...fields.slice(0, MOST_FIELDS),
    ...(more > 0 ? [`${String(more)} more`] : []),
  ]
}

function launchOf(
  installations: InstallationService,
  version: Versioned,
): { readonly preview: LaunchPreview; readonly folder: string | undefined } {
  const offer = offerOf(version)
  return {
    preview: installations.previewOf(version),
    folder: offer.kind === 'package' ? offer.pkg.workingFolder : undefined,
  }
}

/** By their labels: fields that hold something else, or that only one of the two has a value for. */
function differentFields(version: Versioned, present: Versioned): string[] {
  const labels = new Map(
    [present, version].flatMap((one) =>
      fieldsOfOffer(offerOf(one)).map(({ key, label }) => [key, label] as const),
    ),
  )
  const isHeld = (one: Versioned, key: string): boolean => Object.hasOwn(one.secrets, key)
  return [...labels].flatMap(([key, label]) =>
    isSame(version.values[key], present.values[key]) &&
    isHeld(version, key) === isHeld(present, key)
      ? []
      : [label.slice(0, LONGEST_LABEL)],
  )
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}
