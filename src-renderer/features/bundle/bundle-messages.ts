import type {
  BundleProgress,
  InstalledBundle,
  OpenedBundle,
} from '../../../src-shared/domain/installation/bundle'
import { counted, formatBytes, formatCount } from '../../ui/text/format'

/** How far an opening is, in one line; `verb` says what is done with the bytes. */
export function progressText(progress: BundleProgress | null, verb: string): string {
  switch (progress?.kind) {
    case undefined:
      return `${verb}…`
    case 'waiting':
      return 'Waiting for another bundle'
    case 'reading': {
      const received = formatBytes(progress.received)
      const of = progress.total === undefined ? '' : ` of ${formatBytes(progress.total)}`
      return `${verb}: ${received}${of}`
    }
    case 'unpacking':
      return `Unpacking: ${formatCount(progress.files)} of ${counted(progress.total, 'file')}`
  }
}

/** The part that is done, from 0 to 1; undefined where nobody knows. */
export function progressShare(progress: BundleProgress | null): number | undefined {
  if (progress?.kind === 'reading' && progress.total)
    return Math.min(1, progress.received / progress.total)
  if (progress?.kind === 'unpacking' && progress.total > 0)
    return Math.min(1, progress.files / progress.total)
  return undefined
}

/** What a bundle takes, packed and unpacked. */
export function sizeText({ fileBytes, files, bytes }: OpenedBundle): string {
  const count = counted(files, 'file')
  return `${formatBytes(fileBytes)}, unpacked ${formatBytes(bytes)} in ${count}`
}

/** How a server stands to an opened file of its name. */
export function installedWords(
  { name, version, step }: InstalledBundle,
  openedVersion: string,
): string {
  if (step === 'same') return `${name} uses exactly this file.`
  const other = step === 'newer' ? '' : '. This file isn’t newer'
  return version === openedVersion
    ? `${name} uses another file of the same version.`
    : `${name} uses version ${version}${other}.`
}

/** Where a bundle comes from, for the user to judge; the address as it is where it is none. */
export function sourceOf(address: string): { readonly host: string; readonly file: string } {
  if (!URL.canParse(address)) return { host: 'no address', file: address }
  const { host, pathname } = new URL(address)
  return { host, file: pathname.split('/').at(-1) ?? '' }
}
