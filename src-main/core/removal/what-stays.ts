import type { RemovalList } from '../../../src-shared/domain/state/removal'
import type { ProfileContents } from './profile-folder'

type Stays = RemovalList['stays']

/** What Patchbay did not make, or cannot take away, and why. */
export function whatStays(facts: {
  readonly wayIn: 'desktop' | 'browser'
  readonly profileDir: string
  readonly contents: ProfileContents
  /** Entries of hosts. */
  readonly entries: Stays
  /** Secrets of other profiles. */
  readonly otherSecrets: number
  readonly noKeychain: string | undefined
  readonly hasSignIns: boolean
}): Stays {
  const { wayIn, profileDir, contents, entries, otherSecrets, noKeychain, hasSignIns } = facts
  const stays: [boolean, label: string, reason: string][] = [
    [
      noKeychain !== undefined,
      'Keychain secrets of earlier runs',
      `${noKeychain ?? ''} Secrets saved earlier can’t be found after the profile is removed.`,
    ],
    [
      otherSecrets > 0,
      `Other Patchbay secrets in the keychain: ${String(otherSecrets)}`,
      'These belong to another or a deleted profile. Find them under “Patchbay” in the system’s keychain.',
    ],
    [
      hasSignIns,
      'Sign-ins on remote servers',
      'The tokens are deleted here but may work until they expire. Revoke Patchbay’s access in your account there.',
    ],
    [
      wayIn === 'desktop',
      'Some window files',
      `Electron writes them when it quits. Then delete ${profileDir} if it still exists.`,
    ],
  ]
  return [
    ...entries,
    ...stays.flatMap(([applies, label, reason]) => (applies ? [{ label, reason }] : [])),
    ...contents.links.map(({ path, to }) => ({
      label: to,
      reason: `${path} is a link. Only the link is deleted, not its target.`,
    })),
    ...contents.foreign.map((path) => ({ label: path, reason: 'Not created by Patchbay.' })),
    ...ALWAYS,
  ]
}

const ALWAYS: Stays = [
  {
    label: 'Downloaded packages and images',
    reason:
      'Other programs also use the caches of npm, uv, .NET, Docker, and Podman. Clear them there.',
  },
  {
    label: 'Data created by servers',
    reason: 'Patchbay doesn’t know which files, volumes, and accounts servers created.',
  },
  {
    label: 'Data in AI apps',
    reason: 'Their own history may contain tool names and results. Delete it there.',
  },
  { label: 'The Patchbay app', reason: 'Uninstall it the way you installed it.' },
]
