import { createRequire } from 'node:module';
import { Ajv } from 'ajv';
import formats from 'ajv-formats';
import { describe, expect, it } from 'vitest';
import { asyncApi } from './asyncapi.ts';
import { allTopics } from './topics.ts';

const official = createRequire(import.meta.url)('@asyncapi/specs/schemas/3.0.0.json') as object;

describe('description of all events', () => {
  const document = asyncApi({ title: 'Carillon', version: '1' });
  // The schema brings its own draft 7.
  const ajv = new Ajv({ strict: false, allErrors: true, meta: false, validateSchema: false });
  (formats as unknown as (a: Ajv) => void)(ajv);
  const valid = ajv.compile(official);

  it('is valid AsyncAPI 3 by the official schema', () => {
    expect(valid(document) ? [] : valid.errors).toEqual([]);
    // Proves that the validator rejects an invalid document.
    expect(valid({ ...document, operations: { wrong: { action: 'shout' } } })).toBe(false);
  });

  it('describes every topic with its partitions, retention and messages, and has no dangling reference', () => {
    expect(Object.keys(document.channels)).toEqual(allTopics.map((t) => t.name));
    for (const t of allTopics) {
      const { kafka } = document.channels[t.name]!.bindings;
      expect([
        kafka.partitions,
        kafka.topicConfiguration['cleanup.policy'],
        kafka.topicConfiguration['retention.ms'],
      ]).toEqual([t.partitions, [t.cleanup], t.retentionMs]);
      expect(Object.keys(document.channels[t.name]!.messages)).toEqual(Object.keys(t.events));
    }
    const at = (pointer: string): unknown =>
      pointer
        .slice(2)
        .split('/')
        .reduce<unknown>((o, name) => (o as Record<string, unknown> | undefined)?.[name], document);
    const references = [...JSON.stringify(document).matchAll(/"\$ref":"([^"]+)"/g)].map((m) => m[1]!);
    expect(references.filter((r) => at(r) === undefined)).toEqual([]);
  });
});
