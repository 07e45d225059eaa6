// The entry of a thread that reads one text as Markdown; the page ends it where that takes too long.
import { markdownTree } from './markdown-tree'

globalThis.addEventListener('message', ({ data }: MessageEvent<string>) => {
  globalThis.postMessage(markdownTree(data))
})
