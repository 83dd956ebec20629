import { defineErrors } from '../define/error.ts';
import { defineNoun } from '../define/noun.ts';

export const site = defineNoun({
  name: 'site',
  title: 'Sites',
  where: {
    does: 'Sites: the tree, segments, overlaps, deleted and taken back',
    folders: ['libs/contracts/src/org/site.segment.ts', 'apps/org/src/site', 'apps/console/src/area/device/site'],
  },
  example: { name: 'Example', parentId: null, description: '', segments: '', autoAssign: false },
  rights: ['add', 'edit', 'delete'],
  menu: { langKey: 'menu.sites', path: '/site/list', icon: 'site', before: 'task' },
});

export const siteErrors = defineErrors('site', {
  segmentFormat: {
    status: 400,
    en_US:
      '“{segment}” is no network segment. Segments are CIDR separated by commas, for example 192.168.1.0/24, 2001:db8::/48; at most 64.',
    zh_CN: '“{segment}”不是有效的网段。网段用 CIDR 表示并以逗号分隔，例如 192.168.1.0/24, 2001:db8::/48，最多 64 个。',
    ko: '“{segment}”은(는) 네트워크 세그먼트가 아닙니다. CIDR을 쉼표로 구분하세요. 예: 192.168.1.0/24, 2001:db8::/48. 최대 64개입니다.',
    pt_BR:
      '“{segment}” não é um segmento de rede. Use CIDR separado por vírgulas, por exemplo 192.168.1.0/24, 2001:db8::/48; no máximo 64.',
    help: [
      'A segment is not CIDR in IPv4 or IPv6, or there are more than 64.',
      'Write each as network and prefix length, separated by commas.',
    ],
  },
  segmentTaken: {
    status: 409,
    en_US: '{segment} is a segment of {site} already. A smaller or larger one may overlap it.',
    zh_CN: '{segment} 已是 {site} 的网段。可以使用与其重叠的更小或更大的网段。',
    ko: '{segment}은(는) 이미 {site}의 세그먼트입니다. 더 작거나 큰 세그먼트는 겹칠 수 있습니다.',
    pt_BR: '{segment} já é um segmento de {site}. Um menor ou maior pode se sobrepor a ele.',
    help: [
      'Another site has the same network: of two equal prefixes none would win.',
      'Take it from the other site first, or choose a longer or shorter prefix.',
    ],
  },
  cycle: {
    status: 409,
    en_US: 'A site cannot lie in itself or in one of the sites below it.',
    zh_CN: '站点不能位于自身或其下级站点之中。',
    ko: '사이트는 자신이나 하위 사이트 안에 있을 수 없습니다.',
    pt_BR: 'Um site não pode ficar dentro de si mesmo nem de um site abaixo dele.',
    help: ['The parent that was named is the site itself or lies below it.', 'Choose a parent outside of it.'],
  },
  nameTaken: {
    status: 409,
    en_US: 'A site of this name exists at this place.',
    zh_CN: '此位置已存在同名站点。',
    ko: '이 위치에 같은 이름의 사이트가 있습니다.',
    pt_BR: 'Já existe um site com este nome neste lugar.',
    help: ['A site with the same parent has this name.', 'Choose another name or another parent.'],
  },
  notEmpty: {
    status: 409,
    en_US: 'A site with sites below it cannot be deleted: {count} have to be moved or deleted first.',
    zh_CN: '有下级站点的站点不能删除：请先移动或删除 {count} 个下级站点。',
    ko: '하위 사이트가 있는 사이트는 삭제할 수 없습니다. 하위 사이트 {count}개를 먼저 옮기거나 삭제하세요.',
    pt_BR: 'Um site com outros abaixo dele não pode ser excluído: mova ou exclua antes {count}.',
    help: ['Other sites lie directly below it.', 'Move or delete those first.'],
  },
  narrowed: {
    status: 403,
    en_US: 'Sites belong to the whole company: only who sees all organizations can change them.',
    zh_CN: '站点属于整个公司：只有可查看全部组织的用户才能更改。',
    ko: '사이트는 회사 전체에 속합니다. 모든 조직을 볼 수 있는 사용자만 변경할 수 있습니다.',
    pt_BR: 'Os sites pertencem a toda a empresa: só quem vê todas as organizações pode alterá-los.',
    help: [
      'The caller sees some organizations only, and a change of sites could reach devices of others.',
      'Ask somebody who sees all organizations.',
    ],
  },
});
