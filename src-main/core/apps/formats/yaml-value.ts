import { Document, Scalar, visit } from 'yaml'

import type { HostValue } from '../apps/host-app'

/** How a text indents. */
export type YamlStyle = {
  /** Spaces of a level. */
  readonly indent: number
  /** Whether the dashes of a list stand further in than its key. */
  readonly indentSeq: boolean
}

/** Stand in quotes, escaped: parsers differ on them. */
const UNSAFE = /[\u007F-\u009F\u2028\u2029\uFEFF\uFFFE\uFFFF]/gu

/** A value in lines; none goes on from the one before. */
export function yamlBlock(value: HostValue, style: YamlStyle): string[] {
  return yamlText(value, style).split('\n')
}

/** A value on one line. */
export function yamlFlow(value: HostValue): string {
  return yamlText(value, { collectionStyle: 'flow' })
}

/** What YAML 1.1 reads as something else than a text is quoted: some apps still read that. */
function yamlText(value: HostValue, style: YamlStyle | { collectionStyle: 'flow' }): string {
  const document = new Document(value, { compat: 'yaml-1.1' })
  visit(document, {
    Scalar: (_, node) => {
      if (typeof node.value === 'string' && node.value.search(UNSAFE) >= 0)
        node.type = Scalar.QUOTE_DOUBLE
    },
  })
  return document
    .toString({ lineWidth: 0, blockQuote: false, ...style })
    .replace(/\n$/u, '')
    .replaceAll(UNSAFE, (char) => String.raw`\u` + hexOf(char))
}

function hexOf(char: string): string {
  return (char.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')
}
