import { useEffect, useState } from 'react'

import type { MarkdownTree } from './markdown-tree'

/** How long a text may take to be read, in ms: a few thousand letters can be made to take minutes. */
const LIMIT_MS = 8_000

/** A text as Markdown, read on a thread of its own: undefined while it is read, 'unreadable' where that fails or takes too long. */
export function useMarkdown(text: string): MarkdownTree | 'unreadable' | undefined {
  const [read, setRead] = useState<{
    readonly of: string
    readonly tree: MarkdownTree | 'unreadable'
  }>()
  useEffect(() => {
    const worker = new Worker(new URL('markdown-worker.ts', import.meta.url), { type: 'module' })
    const end = (tree: MarkdownTree | 'unreadable'): void => {
      worker.terminate()
      setRead({ of: text, tree })
    }
    const timer = setTimeout(() => end('unreadable'), LIMIT_MS)
    worker.addEventListener('message', ({ data }: MessageEvent<MarkdownTree | undefined>) =>
      end(data ?? 'unreadable'),
    )
    worker.addEventListener('error', (event) => {
      event.preventDefault()
      end('unreadable')
    })
    worker.postMessage(text)
    return () => {
      clearTimeout(timer)
      worker.terminate()
    }
  }, [text])
  return read?.of === text ? read.tree : undefined
}
