import { pbkdf2, randomBytes } from 'node:crypto';
import { promisify } from 'node:util';
import {
  AclOperations,
  AclPermissionTypes,
  alterUserScramCredentialsV0,
  ConfigResourceTypes,
  createAclsV3,
  createTopicsV7,
  deleteAclsV3,
  describeAclsV3,
  describeConfigsV4,
  describeLogDirsV4,
  IncrementalAlterConfigOperationTypes,
  incrementalAlterConfigsV1,
  listGroupsV5,
  ResourcePatternTypes,
  ResourceTypes,
  ScramMechanisms,
  type Acl,
} from '@platformatic/kafka';
import type { Disk } from '../bus.ts';
import type { KafkaConnections } from './kafka.connections.ts';
import { code } from './kafka.protocol.ts';

/** Permissions of a user on the brokers; everything else is refused. */
export interface KafkaRights {
  name: string;
  /** Topics. */
  writes: readonly string[];
  reads: readonly string[];
  /** Consumer groups that it joins. */
  groups: readonly string[];
  /** Whether it may read the disk usage of the brokers. */
  seesDisks?: boolean;
}
export interface KafkaUser extends KafkaRights {
  password: string;
}

/** Kafka's "the broker's default" for the number of replicas in a request. */
const defaultReplicas = -1;
/** How long the controller waits until a new topic is known everywhere. */
const createTimeoutMs = 15_000;

const keyOf = promisify(pbkdf2);
/**
 * Kafka's minimum for SCRAM is 4,096; the passwords are random, so more iterations would cost time and protect nothing.
 */
const scramIterations = 4_096;

const anyHost = '*';
const operationNames = new Map<number, string>(
  Object.entries(AclOperations).map(([name, n]) => [n, name.toLowerCase().replaceAll('_', ' ')]),
);
const textOf = (acl: Acl): string =>
  [acl.resourceType, acl.resourcePatternType, acl.resourceName, acl.principal, acl.host, acl.operation].join(' ');

/** Returns a user's permissions as Kafka ACLs; describing follows from reading and writing. */
function aclsOf({ name, writes, reads, groups, seesDisks }: KafkaRights): Acl[] {
  const { READ, WRITE, DESCRIBE, DESCRIBE_CONFIGS } = AclOperations;
  const { TOPIC, GROUP, CLUSTER } = ResourceTypes;
  const acl = (resourceType: Acl['resourceType'], resourceName: string, operation: Acl['operation']): Acl => ({
    resourceType,
    resourceName,
    resourcePatternType: ResourcePatternTypes.LITERAL,
    principal: `User:${name}`,
    host: anyHost,
    operation,
    permissionType: AclPermissionTypes.ALLOW,
  });
  return [
    ...writes.map((topic) => acl(TOPIC, topic, WRITE)),
    ...reads.map((topic) => acl(TOPIC, topic, READ)),
    ...groups.flatMap((group) => [acl(GROUP, group, READ), acl(GROUP, group, DESCRIBE_CONFIGS)]),
    ...(seesDisks ? [acl(CLUSTER, 'kafka-cluster', DESCRIBE)] : []),
  ];
}

/** Topics, settings, users and permissions of one Kafka. */
export class KafkaAdminClient {
  private readonly connections: KafkaConnections;

  constructor(connections: KafkaConnections) {
    this.connections = connections;
  }

  async createTopics(
    topics: readonly { name: string; partitions: number; configs: Record<string, string> }[],
  ): Promise<void> {
    const wanted = topics.map((t) => ({
      name: t.name,
      numPartitions: t.partitions,
      replicationFactor: defaultReplicas,
      assignments: [],
      configs: Object.entries(t.configs).map(([name, value]) => ({ name, value })),
    }));
    try {
      await this.connections.anyOn('admin', createTopicsV7.api, wanted, createTimeoutMs, false);
    } catch (error) {
      const { errors } = error as { errors?: { apiCode?: number }[] };
      // Another process may have been faster.
      if (!errors?.length || errors.some((e) => e.apiCode !== code.topicExists)) throw error;
    }
  }

  /** Returns settings by resource name. */
  async describe(
    type: 'TOPIC' | 'GROUP',
    names: readonly string[],
    keys: string[],
  ): Promise<Map<string, Record<string, string | null>>> {
    const answer = await this.connections.any(
      describeConfigsV4.api,
      names.map((resourceName) => ({ resourceType: ConfigResourceTypes[type], resourceName, configurationKeys: keys })),
      false,
      false,
    );
    return new Map(
      answer.results.map((r) => [r.resourceName, Object.fromEntries(r.configs.map((c) => [c.name, c.value ?? null]))]),
    );
  }

  async configure(topics: readonly { topic: string; configs: Record<string, string> }[]): Promise<void> {
    await this.connections.anyOn(
      'admin',
      incrementalAlterConfigsV1.api,
      topics.map((t) => ({
        resourceType: ConfigResourceTypes.TOPIC,
        resourceName: t.topic,
        configs: Object.entries(t.configs).map(([name, value]) => ({
          name,
          configOperation: IncrementalAlterConfigOperationTypes.SET,
          value,
        })),
      })),
      false,
    );
  }

  /**
   * Sets passwords of users and grants missing permissions. Revokes none, because processes of the previous version are
   * still running during an installation.
   */
  async admit(users: readonly KafkaUser[]): Promise<void> {
    const credentials = await Promise.all(
      users.map(async ({ name, password }) => {
        const salt = randomBytes(24);
        return {
          name,
          mechanism: ScramMechanisms.SCRAM_SHA_256,
          iterations: scramIterations,
          salt,
          saltedPassword: await keyOf(password, salt, scramIterations, 32, 'sha256'),
        };
      }),
    );
    await this.connections.anyOn('admin', alterUserScramCredentialsV0.api, [], credentials);
    for (const user of users) {
      const there = new Set((await this.acls(user.name)).map(textOf));
      const missing = aclsOf(user).filter((acl) => !there.has(textOf(acl)));
      if (missing.length > 0) await this.connections.anyOn('admin', createAclsV3.api, missing);
    }
  }

  /** Returns permissions of users beyond these; `takeBack` revokes them. */
  async surplus(users: readonly KafkaRights[], takeBack: boolean): Promise<string[]> {
    const found: Acl[] = [];
    for (const user of users) {
      const wanted = new Set(aclsOf(user).map(textOf));
      found.push(...(await this.acls(user.name)).filter((acl) => !wanted.has(textOf(acl))));
    }
    if (takeBack && found.length > 0) await this.connections.anyOn('admin', deleteAclsV3.api, found);
    return found.map(({ principal, operation, resourceName }) =>
      [principal.replace('User:', ''), operationNames.get(operation) ?? operation, resourceName].join(' '),
    );
  }

  private async acls(name: string): Promise<Acl[]> {
    const { resources } = await this.connections.anyOn('admin', describeAclsV3.api, {
      resourceType: ResourceTypes.ANY,
      resourceName: null,
      resourcePatternType: ResourcePatternTypes.ANY,
      principal: `User:${name}`,
      host: null,
      operation: AclOperations.ANY,
      permissionType: AclPermissionTypes.ANY,
    });
    return resources.flatMap(({ acls, ...target }) => acls.map((permission) => ({ ...target, ...permission })));
  }

  /** Returns the log folders of all brokers with their disks. */
  async disks(): Promise<Disk[]> {
    const answers = await this.connections.each(describeLogDirsV4.api, []);
    return answers.flatMap(([id, { results }]) =>
      results.map((dir) => ({
        name: `kafka-${id}:${dir.logDir}`,
        freeBytes: Number(dir.usableBytes),
        totalBytes: Number(dir.totalBytes),
      })),
    );
  }

  /** Returns the names of all consumer groups. */
  async groups(): Promise<string[]> {
    const answers = await this.connections.each(listGroupsV5.api, [], []);
    return [...new Set(answers.flatMap(([, { groups }]) => groups.map(({ groupId }) => groupId)))];
  }
}
