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
    return 'No shell reads this, so ~ is not your home folder. Write the full path.'
  if (/^\$|%\w+%/.test(path))
    return 'No shell reads this, so no variable is filled in. Write the full path.'
  return undefined
}

/** What is worth knowing of what is at a path; undefined when it is as expected or nothing is known. */
export function foundPathWords(
  found: PathKind,
  expected: 'file' | 'folder' | undefined,
): string | undefined {
  switch (found) {
    case 'missing':
      return 'Nothing is at this path yet.'
    case 'denied':
      return 'Your account may not look at this path.'
    case 'file':
      return expected === 'folder' ? 'This is a file. A folder is asked for.' : undefined
    case 'folder':
      return expected === 'file' ? 'This is a folder. A file is asked for.' : undefined
    case 'unknown':
      return undefined
  }
}
