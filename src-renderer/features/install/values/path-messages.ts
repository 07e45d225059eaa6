import type { PathKind } from '../../../../src-shared/domain/path-kind'
import type { FormField } from '../../../../src-shared/form/form-field'

/** What is to be at the path of a field, as far as it or its words tell. */
export function expectedKind(field: FormField): 'file' | 'folder' | undefined {
  if (field.pathKind !== undefined) return field.pathKind
  const words = `${field.label} ${field.machineName ?? ''} ${field.description ?? ''}`
  const isFile = /\bfiles?\b/i.test(words)
  const isFolder = /folder|director|\bdirs?\b/i.test(words)
  if (isFile === isFolder) return undefined
  return isFile ? 'file' : 'folder'
}

/** What a shell would make of a path, which nothing does here. */
export function shellPathWords(path: string): string | undefined {
  if (path.startsWith('~'))
    return 'Enter the full path. The ~ for your home folder is not expanded.'
  if (/^\$|%\w+%/.test(path)) return 'Enter the full path. Variables are not expanded.'
  return undefined
}

/** What is worth knowing of what is at a path; undefined when it is as expected or nothing is known. */
export function foundPathWords(
  found: PathKind,
  expected: 'file' | 'folder' | undefined,
): string | undefined {
  switch (found) {
    case 'missing':
      return 'Path not found.'
    case 'denied':
      return 'You don’t have permission to read this path.'
    case 'file':
      return expected === 'folder' ? 'Choose a folder, not a file.' : undefined
    case 'folder':
      return expected === 'file' ? 'Choose a file, not a folder.' : undefined
    case 'unknown':
      return undefined
  }
}
