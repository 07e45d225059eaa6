import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { MARKDOWN_TAGS, type MarkdownNode, markdownTree } from './result-text'

function allOf(nodes: readonly MarkdownNode[]): MarkdownNode[] {
  return nodes.flatMap((node) => [node, ...(typeof node === 'string' ? [] : allOf(node.children))])
}

function wordsOf(text: string): string {
  const texts = allOf(markdownTree(text)?.nodes ?? []).filter((node) => typeof node === 'string')
  return texts.join('')
}

describe('D5 Markdown as data', () => {
  it('is tags with texts, links and pictures with their addresses', () => {
    expect(markdownTree('# A *b*\n\n[c](https://d.example) ![e](f.png)')).toEqual({
      isWhole: true,
      nodes: [
        { tag: 'h1', children: ['A ', { tag: 'em', children: ['b'] }] },
        '\n',
        {
          tag: 'p',
          children: [
            { tag: 'a', address: 'https://d.example', children: ['c'] },
            ' ',
            { tag: 'img', address: 'f.png', alt: 'e', children: [] },
          ],
        },
      ],
    })
  })

  it('leaves HTML as the text that it is', () => {
    const html = '<script>alert(1)</script>\n\n<b onclick="x">y</b>'
    expect(wordsOf(html)).toContain('<script>alert(1)</script>')
    expect(wordsOf(html)).toContain('<b onclick="x">')
  })

  it('brings nothing but known tags and data that can be sent, whatever the text', () => {
    const part = fc.constantFrom(
      ...['# ', '> ', '- ', '1. ', '*', '_', '`', '```\n', '![', '[', '](', ')', '<b x=y>', '\n'],
      ...['<script>', '&lt;', '\\', 'word', 'javascript:', '\0', '[a]: b\n', '---\n', '    '],
    )
    fc.assert(
      fc.property(fc.array(part, { maxLength: 60 }), (parts) => {
        const tree = markdownTree(parts.join(''))
        expect(structuredClone(tree)).toEqual(tree)
        for (const node of allOf(tree?.nodes ?? []))
          if (typeof node !== 'string') expect(MARKDOWN_TAGS).toContain(node.tag)
      }),
    )
  })

  it('that is nested too deeply, or is too much, is cut or not read', () => {
    expect(markdownTree('_*'.repeat(2_001))).toBeUndefined()
    expect(markdownTree(`${'> '.repeat(200)}deep`)?.isWhole).toBe(false)
    const many = markdownTree('- a\n'.repeat(8_000))
    expect(many?.isWhole).toBe(false)
    expect(allOf(many?.nodes ?? []).length).toBeLessThanOrEqual(4_000)
    // Whether this is too deep for the stack depends on its size; it never throws.
    expect([undefined, false]).toContain(markdownTree('> '.repeat(5_000))?.isWhole)
  })
})
