import type { ListedServer } from '../../../../src-shared/domain/catalog/catalog-query'
import { visibleText } from '../../../ui/text/visible-text'

/** The name to show: the title, or the last part of the registry name. */
export function listedTitle({ title = '', name }: Pick<ListedServer, 'title' | 'name'>): string {
  const shown = title.trim() === '' ? (name.split('/').at(-1) ?? name) : title.trim()
  return visibleText(shown)
}
