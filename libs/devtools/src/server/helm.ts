import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { builtWithGo, cached, execute, once } from './cached-tool.ts';

/** The version in deploy/tools/kubernetes/go.mod. */
export const kubernetesVersion = '1.36.3';

const module = resolve(import.meta.dirname, '../../../../deploy/tools/kubernetes');

export interface ChartTools {
  helm: string;
  helmUnittest: string;
  kubeconform: string;
  /** Value of kubeconform's `-schema-location`. */
  schemas: string;
}

/** Returns Helm and the chart's checkers, built with Go once in about two minutes. */
export async function chartTools(say: (text: string) => void = () => {}): Promise<ChartTools> {
  say('Helm and the checks of a chart');
  const folder = await builtWithGo('kubernetes', [
    [
      'helm.sh/helm/v3/cmd/helm',
      'github.com/helm-unittest/helm-unittest/cmd/helm-unittest',
      'github.com/yannh/kubeconform/cmd/kubeconform',
    ],
  ]);
  const schemas = await kubernetesSchemas();
  return {
    helm: join(folder, 'helm'),
    helmUnittest: join(folder, 'helm-unittest'),
    kubeconform: join(folder, 'kubeconform'),
    schemas: join(schemas, '{{.ResourceKind}}{{.KindSuffix}}.json'),
  };
}

type Schema = Record<string, unknown> & {
  properties?: Record<string, Schema>;
  'x-kubernetes-group-version-kind'?: { group: string; version: string; kind: string }[];
};

/** Generates one strict schema per kind from the description in Kubernetes's own module. */
function kubernetesSchemas(): Promise<string> {
  return once(cached(`kubernetes-schemas-${kubernetesVersion}`), async (fresh) => {
    const { Dir } = JSON.parse(
      await execute('go', ['mod', 'download', '-json', `k8s.io/kubernetes@v${kubernetesVersion}`], { cwd: module }),
    ) as { Dir: string };
    const text = readFileSync(join(Dir, 'api/openapi-spec/swagger.json'), 'utf8');
    const { definitions } = JSON.parse(text) as { definitions: Record<string, Schema> };
    for (const schema of Object.values(definitions)) if (schema.properties) schema['additionalProperties'] = false;
    definitions['io.k8s.apimachinery.pkg.util.intstr.IntOrString'] = { type: ['string', 'integer'] };
    definitions['io.k8s.apimachinery.pkg.api.resource.Quantity'] = { type: ['string', 'number'] };
    mkdirSync(fresh, { recursive: true });
    for (const [name, schema] of Object.entries(definitions)) {
      for (const { group, version, kind } of schema['x-kubernetes-group-version-kind'] ?? []) {
        const reached = new Map<string, Schema>();
        const walk = (schema: Schema): void => {
          for (const [, next] of JSON.stringify(schema).matchAll(/"#\/definitions\/([^"]+)"/g))
            if (!reached.has(next!)) {
              reached.set(next!, definitions[next!]!);
              walk(definitions[next!]!);
            }
        };
        walk(schema);
        // kubeconform builds the file name from kind and apiVersion.
        const suffix = `${group === '' ? '' : `-${group.split('.')[0]}`}-${version}`;
        writeFileSync(
          join(fresh, `${kind.toLowerCase()}${suffix}.json`),
          JSON.stringify({ ...definitions[name], definitions: Object.fromEntries(reached) }),
        );
      }
    }
  });
}
