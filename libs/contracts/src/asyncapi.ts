import { z } from 'zod';
import type { TopicDefinition } from './define/topic.ts';
import type { JsonSchema } from './openapi.ts';
import { allTopics } from './topics.ts';

interface Reference {
  $ref: string;
}
interface AsyncMessage {
  name: string;
  title: string;
  contentType: string;
  headers: Reference;
  payload: JsonSchema;
  bindings: { kafka: { key: JsonSchema; bindingVersion: string } };
}
export interface AsyncApiDocument {
  asyncapi: '3.0.0';
  info: { title: string; version: string; description: string };
  defaultContentType: string;
  channels: Record<
    string,
    {
      address: string;
      description: string;
      messages: Record<string, Reference>;
      bindings: {
        kafka: {
          topic: string;
          partitions: number;
          topicConfiguration: Record<string, unknown>;
          bindingVersion: string;
        };
      };
    }
  >;
  operations: Record<string, { action: 'send'; summary: string; channel: Reference; messages: Reference[] }>;
  components: { messages: Record<string, AsyncMessage>; schemas: Record<string, JsonSchema> };
}

const text = (description: string, more: JsonSchema = {}): JsonSchema => ({ type: 'string', description, ...more });

/** Headers of every message; each value is text. */
const envelope: JsonSchema = {
  type: 'object',
  required: ['id', 'type', 'at', 'era'],
  properties: {
    id: text('UUIDv7 of the message; one that comes twice has the same.', { format: 'uuid' }),
    type: text("Which of the topic's messages it is."),
    at: text('Epoch milliseconds at the writer.', { pattern: '^[0-9]+$' }),
    era: text('Raised at each restore from a backup: messages of a lower one were undone.', { pattern: '^[0-9]+$' }),
    companyId: text('Tenant; absent for what belongs to the installation.', { format: 'uuid' }),
    orgId: text('Organization.', { format: 'uuid' }),
    actor: text('User id, or `system`.'),
    version: text('Row version of what the message is about: a copy ignores one that is not higher than its own.', {
      pattern: '^[0-9]+$',
    }),
    reason: text('Of a message without data: why, where that makes a difference to who reads it.'),
    traceparent: text('W3C trace context.'),
  },
};

/**
 * Returns the payload as JSON Schema draft 7, of which AsyncAPI's own dialect is a superset. Named schemas
 * (`.meta({ id })`) move into the components.
 */
function payloadOf(schema: z.ZodType, topic: TopicDefinition, schemas: Record<string, JsonSchema>): JsonSchema {
  const {
    $schema: _,
    definitions,
    ...plain
  } = z.toJSONSchema(schema, { io: 'output', unrepresentable: 'any', target: 'draft-7' }) as JsonSchema & {
    definitions?: Record<string, JsonSchema>;
  };
  const moved = <T>(value: T): T =>
    JSON.parse(JSON.stringify(value).replaceAll('"#/definitions/', '"#/components/schemas/')) as T;
  for (const [name, definition] of Object.entries(definitions ?? {})) schemas[name] = moved(definition);
  return topic.cleanup === 'compact'
    ? { anyOf: [moved(plain), { type: 'null', description: 'The end of this key.' }] }
    : moved(plain);
}

/** Returns the description of all events (AsyncAPI 3), built from the declarations that the topics are created from. */
export function asyncApi({ title, version }: { title: string; version: string }): AsyncApiDocument {
  const document: AsyncApiDocument = {
    asyncapi: '3.0.0',
    info: {
      title: `${title} events`,
      version,
      description:
        'The order is kept per key. A message may come more than once, with the same id. A consumer leaves out types that it does not know.',
    },
    defaultContentType: 'application/json',
    channels: {},
    operations: {},
    components: { messages: {}, schemas: { Envelope: envelope } },
  };
  for (const topic of allTopics) {
    const messages: Record<string, Reference> = {};
    for (const [type, schema] of Object.entries(topic.events)) {
      const name = `${topic.name}.${type}`;
      document.components.messages[name] = {
        name: type,
        title: `${topic.name} ${type}`,
        contentType: 'application/json',
        headers: { $ref: '#/components/schemas/Envelope' },
        payload: payloadOf(schema, topic, document.components.schemas),
        bindings: { kafka: { key: text(topic.key), bindingVersion: '0.5.0' } },
      };
      messages[type] = { $ref: `#/components/messages/${name}` };
    }
    const writers = topic.writers === '*' ? 'every service' : topic.writers.join(' and ');
    document.channels[topic.name] = {
      address: topic.name,
      description: `Written by ${writers}; read by ${topic.readers.join(' and ')}; key: ${topic.key}.`,
      messages,
      bindings: {
        kafka: {
          topic: topic.name,
          partitions: topic.partitions,
          topicConfiguration: {
            'cleanup.policy': [topic.cleanup],
            ...(topic.retentionMs === undefined ? {} : { 'retention.ms': topic.retentionMs }),
          },
          bindingVersion: '0.5.0',
        },
      },
    };
    document.operations[`write.${topic.name}`] = {
      action: 'send',
      summary: `${topic.name} is written by ${writers}`,
      channel: { $ref: `#/channels/${topic.name}` },
      messages: Object.keys(messages).map((type) => ({ $ref: `#/channels/${topic.name}/messages/${type}` })),
    };
  }
  return document;
}
