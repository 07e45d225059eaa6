import type { ServerView } from '../../../src-shared/domain/state/app-state'

type RegistryStatusView = NonNullable<ServerView['registryStatus']>

const WORDS: Readonly<
  Record<RegistryStatusView['status'], { readonly title: string; readonly text: string }>
> = {
  deleted: {
    title: 'The registry deleted this server.',
    text: 'Registries delete spam, malware, and entries that publishers withdraw. Stop the server unless you know why.',
  },
  unlisted: {
    title: 'The registry no longer lists this server.',
    text: 'The entry may have been deleted. Find out why before you keep using the server.',
  },
  deprecated: {
    title: 'The publisher no longer maintains this server.',
    text: 'The server still works but gets no fixes.',
  },
}

/** What a registry has against the entry that a server was set up from: a title and what to do. */
export function registryStatusMessage({ status, statusMessage }: RegistryStatusView): {
  readonly title: string
  readonly text: string
} {
  const says = statusMessage === undefined ? '' : ` Message: “${statusMessage}”`
  const { title, text } = WORDS[status]
  return { title, text: `${text}${says}` }
}
