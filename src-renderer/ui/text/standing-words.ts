import type { ServerView } from '../../../src-shared/domain/state/app-state'

type Standing = NonNullable<ServerView['standing']>

const WORDS: Readonly<
  Record<Standing['status'], { readonly title: string; readonly text: string }>
> = {
  deleted: {
    title: 'The registry took its entry down.',
    text: 'That happens to spam and malware, and where a publisher asks for it. Stop the server unless you know why.',
  },
  unlisted: {
    title: 'The registry no longer lists it.',
    text: 'Its entry may have been taken down. Find out why before you go on with it.',
  },
  deprecated: {
    title: 'Its publisher no longer maintains it.',
    text: 'It goes on working; nobody mends what is found in it.',
  },
}

/** What a registry has against the entry that a server was set up from: a title and what to do. */
export function standingWords({ status, statusMessage }: Standing): {
  readonly title: string
  readonly text: string
} {
  const says = statusMessage === undefined ? '' : ` It says: “${statusMessage}”`
  const { title, text } = WORDS[status]
  return { title, text: `${text}${says}` }
}
