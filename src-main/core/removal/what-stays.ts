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
      'Secrets of earlier runs in the keychain',
      `It cannot be used in this run: ${noKeychain ?? ''} What an earlier run saved there cannot be found after the profile is gone.`,
    ],
    [
      otherSecrets > 0,
      `Other secrets of Patchbay in the keychain: ${String(otherSecrets)}`,
      'Nothing in this profile names them: they are of another profile, or of one that is gone. They are under “Patchbay” in the system’s keychain.',
    ],
    [
      hasSignIns,
      'Sign-ins at the remote servers themselves',
      'The tokens are deleted here. A server may take them until they expire: end the access of Patchbay in your account there.',
    ],
    [
      wayIn === 'desktop',
      'Some files of the window',
      `Electron writes them when it ends. Delete ${profileDir} after that where it is still there.`,
    ],
  ]
  return [
    ...entries,
    ...stays.flatMap(([applies, label, reason]) => (applies ? [{ label, reason }] : [])),
    ...contents.links.map(({ path, to }) => ({
      label: to,
      reason: `${path} is a link to it. The link is deleted, what it leads to is not.`,
    })),
    ...contents.foreign.map((path) => ({ label: path, reason: 'Patchbay did not make it.' })),
    ...ALWAYS,
  ]
}

const ALWAYS: Stays = [
  {
    label: 'Packages and images that runners fetched',
    reason:
      'They are in the caches of npm, uv, .NET, Docker or Podman, where other programs use them too. Clear them there.',
  },
  {
    label: 'What servers made',
    reason:
      'Files, containers’ volumes and accounts that a server made itself are known to it alone.',
  },
  {
    label: 'What agent apps keep',
    reason: 'Their own history may name tools and answers. Delete it there.',
  },
  { label: 'The app Patchbay itself', reason: 'Uninstall it in the way it was installed.' },
]
