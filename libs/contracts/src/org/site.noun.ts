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
      '“{segment}” is not a valid network. Enter at most 64 networks as CIDR, separated by commas. Example: 192.168.1.0/24, 2001:db8::/48',
    zh_CN: '“{segment}”不是有效的网段。请用逗号分隔输入 CIDR，最多 64 个。示例：192.168.1.0/24, 2001:db8::/48',
    ko: '“{segment}”은(는) 올바른 네트워크가 아닙니다. CIDR을 쉼표로 구분해 최대 64개까지 입력하세요. 예: 192.168.1.0/24, 2001:db8::/48',
    pt_BR:
      '“{segment}” não é uma rede válida. Informe no máximo 64 redes em CIDR, separadas por vírgulas. Exemplo: 192.168.1.0/24, 2001:db8::/48',
    help: [
      'A segment is not CIDR in IPv4 or IPv6, or there are more than 64.',
      'Write each as network and prefix length, separated by commas.',
    ],
  },
  segmentTaken: {
    status: 409,
    en_US: '{segment} is already a network of {site}. A smaller or larger one may overlap it.',
    zh_CN: '{segment} 已是 {site} 的网段。可以使用与其重叠的更小或更大的网段。',
    ko: '{segment}은(는) 이미 {site}의 네트워크입니다. 더 작거나 큰 네트워크는 겹칠 수 있습니다.',
    pt_BR: '{segment} já é uma rede de {site}. Uma menor ou maior pode se sobrepor a ela.',
    help: [
      'Another site has the same network: of two equal prefixes none would win.',
      'Take it from the other site first, or choose a longer or shorter prefix.',
    ],
  },
  cycle: {
    status: 409,
    en_US: 'A site can’t be below itself or below one of its own sites.',
    zh_CN: '站点不能位于自身或其下级站点之中。',
    ko: '사이트는 자신이나 하위 사이트 안에 있을 수 없습니다.',
    pt_BR: 'Um local não pode ficar abaixo de si mesmo nem de um local abaixo dele.',
    help: ['The parent that was named is the site itself or lies below it.', 'Choose a parent outside of it.'],
  },
  nameTaken: {
    status: 409,
    en_US: 'A site with this name already exists here.',
    zh_CN: '此位置已存在同名站点。',
    ko: '이 위치에 같은 이름의 사이트가 있습니다.',
    pt_BR: 'Já existe um local com este nome aqui.',
    help: ['A site with the same parent has this name.', 'Choose another name or another parent.'],
  },
  notEmpty: {
    status: 409,
    en_US: 'This site has {count} {count|site|sites} below it. Move or delete {count|it|them} first.',
    zh_CN: '此站点下有 {count} 个站点。请先移动或删除。',
    ko: '이 사이트에는 하위 사이트 {count}개가 있습니다. 먼저 옮기거나 삭제하세요.',
    pt_BR:
      'Este local tem {count} {count|local|locais} abaixo dele. {count|Mova-o ou exclua-o|Mova-os ou exclua-os} primeiro.',
    help: ['Other sites lie directly below it.', 'Move or delete those first.'],
  },
  zoneUnknown: {
    status: 400,
    en_US: 'This time zone is not known.',
    zh_CN: '未知的时区。',
    ko: '알 수 없는 시간대입니다.',
    pt_BR: 'Este fuso horário não é conhecido.',
    help: ['The time zone is none of the tz database.', 'Choose one from the list, for example Asia/Seoul.'],
  },
  narrowed: {
    status: 403,
    en_US: 'Sites belong to the whole company. Only someone who sees all organizations can change them.',
    zh_CN: '站点属于整个公司。只有可查看全部组织的用户才能更改。',
    ko: '사이트는 회사 전체에 속합니다. 모든 조직을 볼 수 있는 사용자만 변경할 수 있습니다.',
    pt_BR: 'Os locais pertencem a toda a empresa. Só quem vê todas as organizações pode alterá-los.',
    help: [
      'The caller sees some organizations only, and a change of sites could reach devices of others.',
      'Ask someone who sees all organizations.',
    ],
  },
});
