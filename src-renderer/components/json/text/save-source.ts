import { toErrorShape } from '../../../ipc/call'
import { showToast } from '../../../ui/overlays/toast'
import { fileName, saveBlob } from '../../../ui/saving/save-text'
import { partsOf, type TextSource } from './text-source'

async function blobOfParts(source: TextSource): Promise<Blob> {
  const parts: string[] = []
  for await (const { text } of partsOf(source, Infinity)) parts.push(text)
  return new Blob(parts, { type: 'text/plain;charset=utf-8' })
}

/** Saves what comes later as a file named after `name` and the moment; says so where it does not come. */
export function saveLater(name: string, ending: string, coming: Promise<Blob>): void {
  coming.then(
    (blob) => saveBlob(fileName(name, Date.now(), ending), blob),
    (thrown: unknown) => {
      const message = `Can’t create the file. ${toErrorShape(thrown).message}`
      showToast({ message, tone: 'error' })
    },
  )
}

/** Saves a text of any length as a file; it never stands in the page in one piece. */
export function saveSource(name: string, ending: string, source: TextSource): void {
  saveLater(name, ending, blobOfParts(source))
}
