import { defineErrors } from '../define/error.ts';
import { defineNoun } from '../define/noun.ts';

/** Models of devices: those that Carillon supplies, and those that a company adds. */
export const model = defineNoun({
  name: 'model',
  title: 'Models',
  where: {
    does: 'Models: those of Carillon and those of a company, with lines, doors, keys and picture',
    folders: ['apps/device/src/model', 'apps/provisioning/src/device-model', 'apps/console/src/area/device/model'],
  },
  example: {
    name: 'Example 100',
    showName: '',
    internalName: '',
    series: 'Example',
    type: 'general',
    sipCount: 2,
    doorCount: 0,
    softDssKeys: 10,
    dssKeysPerPage: 5,
    dssKeyPages: 2,
    sideKeysPerPage: 0,
    sideKeyPages: 0,
    hiddenItems: [],
    secondScreen: false,
    mutualAuth: false,
  },
  rights: ['add', 'edit', 'delete'],
  menu: { langKey: 'menu.models', path: '/model/list', icon: 'model', before: 'deviceLog' },
});

export const modelErrors = defineErrors('model', {
  nameTaken: {
    status: 409,
    en_US: 'A model with this name already exists.',
    zh_CN: '已存在同名的型号。',
    ko: '같은 이름의 모델이 이미 있습니다.',
    pt_BR: 'Já existe um modelo com este nome.',
    help: ['Carillon or the company has a model with this name, in any case of letters.', 'Choose another name.'],
  },
  supplied: {
    status: 409,
    en_US: 'Carillon supplies this model: it can’t be changed or deleted. Add one of your own under another name.',
    zh_CN: '该型号由 Carillon 提供，不能更改或删除。请以其他名称添加自己的型号。',
    ko: 'Carillon에서 제공하는 모델이라 변경하거나 삭제할 수 없습니다. 다른 이름으로 모델을 추가하세요.',
    pt_BR: 'O Carillon fornece este modelo: não é possível alterá-lo nem excluí-lo. Adicione um seu com outro nome.',
    help: ['The model is one that every company has.', 'Add a model of the company under another name.'],
  },
  inUse: {
    status: 409,
    en_US: 'The model has {count} {count|device|devices}. Change or delete {count|it|them} first.',
    zh_CN: '该型号有 {count} 台设备，请先更改或删除。',
    ko: '이 모델을 쓰는 장치가 {count}대 있습니다. 먼저 변경하거나 삭제하세요.',
    pt_BR: 'O modelo tem {count} {count|dispositivo. Altere-o ou exclua-o|dispositivos. Altere-os ou exclua-os} antes.',
    help: ['Devices of the company are of this model.', 'Delete these devices, or keep the model.'],
  },
  narrowed: {
    status: 403,
    en_US: 'Models belong to the whole company. Only users who see all organizations can change them.',
    zh_CN: '型号属于整个公司：只有可查看全部组织的用户才能更改。',
    ko: '모델은 회사 전체에 속합니다. 모든 조직을 볼 수 있는 사용자만 변경할 수 있습니다.',
    pt_BR: 'Os modelos pertencem a toda a empresa. Só quem vê todas as organizações pode alterá-los.',
    help: [
      'The caller sees some organizations only, and devices of others are of these models.',
      'Ask someone who sees all organizations.',
    ],
  },
});
