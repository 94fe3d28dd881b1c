// `train shapes`: a vision transformer on small pictures (Dosovitskiy et al. 2021, "An image is worth 16x16
// words"). Every patch shows a circle, a square or a triangle, and all show the same but one; the class token
// is asked for the colour of the odd one, and has to find it. The model reads pixels: no word tells it a
// shape.
#include <xtensor/xview.hpp>

#include "experiments/framework/experiment_kit.hpp"
#include "experiments/framework/patch_maps.hpp"
#include "tasks/framework/training_report.hpp"
#include "tasks/tasks.hpp"

namespace attnlab {
namespace {

constexpr std::size_t pictures_held_out = 512;
constexpr std::size_t pictures_shown = 4;
constexpr std::size_t pictures_of_a_kind = 64;
constexpr std::size_t side = 10;  // of a patch, in pixels
constexpr std::size_t kinds = 3;  // circle, square, triangle

using Pixel = std::array<double, 3>;
constexpr Pixel paper{1.0, 1.0, 1.0};
// Okabe and Ito 2008: blue, vermilion, green, orange, pink.
constexpr std::array<Pixel, 5> inks{Pixel{0.0, 0.447, 0.698}, Pixel{0.835, 0.369, 0.0},
                                    Pixel{0.0, 0.620, 0.451}, Pixel{0.902, 0.624, 0.0},
                                    Pixel{0.800, 0.475, 0.655}};

// --- Pictures

/// A shape somewhere in its patch, in pixels.
struct DrawnShape {
  std::size_t kind = 0;
  double x = 0.0;
  double y = 0.0;
  double radius = 0.0;

  bool covers(double px, double py) const {
    const double right = px - x;
    const double down = py - y;
    if (kind == 0) return right * right + down * down <= radius * radius;
    if (kind == 1) return std::max(std::abs(right), std::abs(down)) <= 0.88 * radius;
    return down <= 0.9 * radius && 2.0 * std::abs(right) <= down + radius;
  }
};

/// Of any size and anywhere, as long as it stays inside.
DrawnShape draw_shape(NumpyRandom& random, std::size_t kind) {
  constexpr double half = static_cast<double>(side) / 2.0;
  const double radius = 3.0 + 1.5 * random.uniform();
  const auto place = [&] { return half + (2.0 * random.uniform() - 1.0) * (half - radius); };
  const double x = place();
  return {kind, x, place(), radius};
}

/// How much of pixel (row, column) it covers, measured at 3 x 3 points.
double covered_share(const DrawnShape& shape, std::size_t row, std::size_t column) {
  constexpr int points = 3;
  int covered = 0;
  for (int i = 0; i < points; ++i) {
    for (int k = 0; k < points; ++k) {
      const auto at = [](std::size_t pixel, int point) {
        return static_cast<double>(pixel) + (point + 0.5) / points;
      };
      if (shape.covers(at(column, k), at(row, i))) ++covered;
    }
  }
  return static_cast<double>(covered) / (points * points);
}

/// Red, green and blue of each pixel, row by row, from -1 to 1.
void paint(const DrawnShape& shape, const Pixel& ink, float* patch) {
  for (std::size_t row = 0; row < side; ++row) {
    for (std::size_t column = 0; column < side; ++column) {
      const double share = covered_share(shape, row, column);
      for (std::size_t i = 0; i < 3; ++i)
        *patch++ = static_cast<float>(2.0 * (paper[i] + share * (ink[i] - paper[i])) - 1.0);
    }
  }
}

struct ShapesData {
  std::size_t grid;  // patches along a side

  std::size_t tokens() const { return grid * grid + 1; }
  PatchGrid patches() const { return {grid, grid, 1}; }
};

constexpr std::size_t numbers_of_patch = 3 * side * side;

/// One picture behind the others, its odd shape of that kind.
void add_picture_of(NumpyRandom& random, const ShapesData& data, std::size_t odd_kind, Batch& batch) {
  const std::size_t usual = (odd_kind + 1 + static_cast<std::size_t>(draw_index(random, kinds - 1))) % kinds;
  const std::size_t odd = 1 + static_cast<std::size_t>(draw_index(random, data.grid * data.grid));
  const std::size_t begin = batch.patches.size();
  batch.patches.resize(begin + data.tokens() * numbers_of_patch, 0.0F);  // the class token shows nothing
  batch.inputs.push_back(0);
  batch.targets.push_back(0);
  const std::size_t requested = batch.targets.size() - 1;
  for (std::size_t token = 1; token < data.tokens(); ++token) {
    const int colour = draw_index(random, inks.size());
    const DrawnShape shape = draw_shape(random, token == odd ? odd_kind : usual);
    paint(shape, inks[static_cast<std::size_t>(colour)],
          batch.patches.data() + begin + token * numbers_of_patch);
    batch.inputs.push_back(1);
    batch.targets.push_back(no_target);
    if (token == odd) batch.targets[requested] = colour;
  }
  batch.wanted.push_back(odd);
  ++batch.sequences;
}

Batch no_pictures(const ShapesData& data) {
  Batch batch{0, data.tokens(), {}, {}};
  batch.pixels = numbers_of_patch;
  return batch;
}

Batch draw_pictures(NumpyRandom& random, std::size_t pictures, const ShapesData& data) {
  Batch batch = no_pictures(data);
  batch.patches.reserve(pictures * data.tokens() * numbers_of_patch);
  for (std::size_t i = 0; i < pictures; ++i)
    add_picture_of(random, data, static_cast<std::size_t>(draw_index(random, kinds)), batch);
  return batch;
}

/// (rows, columns, 3), from 0 to 1.
Tensor<double> pixels_of(const Batch& batch, std::size_t picture, const ShapesData& data) {
  const std::size_t length = data.grid * side;
  Tensor<double> pixels = Tensor<double>::from_shape({length, length, 3});
  for (std::size_t row = 0; row < length; ++row) {
    for (std::size_t column = 0; column < length; ++column) {
      const std::size_t token = 1 + row / side * data.grid + column / side;
      const std::size_t pixel = row % side * side + column % side;
      const float* from =
          batch.patches.data() + (picture * batch.tokens + token) * numbers_of_patch + 3 * pixel;
      for (std::size_t i = 0; i < 3; ++i) pixels(row, column, i) = (static_cast<double>(from[i]) + 1.0) / 2.0;
    }
  }
  return pixels;
}

std::shared_ptr<const Image> image_of(const Tensor<double>& pixels) {
  Image image{pixels.shape()[0], pixels.shape()[1], {}};
  std::transform(pixels.begin(), pixels.end(), std::back_inserter(image.samples),
                 [](double value) { return static_cast<std::uint8_t>(std::lround(255.0 * value)); });
  return std::make_shared<const Image>(std::move(image));
}

// --- What the class token reads: weights (pictures, layers, heads, tokens, tokens)

/// What it gives the odd shape, head by head of all layers: (pictures, heads).
Tensor<double> given_to_the_odd(const Batch& batch, const Tensor<double>& weights) {
  const std::size_t heads = weights.shape()[1] * weights.shape()[2];
  const std::size_t tokens = batch.tokens;
  Tensor<double> provided = Tensor<double>::from_shape({batch.sequences, heads});
  for (std::size_t i = 0; i < provided.size(); ++i)
    provided.flat(i) = weights.flat(i * tokens * tokens + batch.wanted[i / heads]);
  return provided;
}

/// The mean over the pictures, in the head that gives each the most.
double weight_on_the_odd(const Batch& batch, const Tensor<double>& weights) {
  return sum_of(row_maximum(given_to_the_odd(batch, weights))) / static_cast<double>(batch.sequences);
}

/// The mean weight of the class token on the odd shape, by its kind: (heads of all layers, kinds).
Tensor<double> weights_by_kind(const Learned& learned, const ShapesData& data) {
  const ModelShape& shape = learned.task.shape;
  Tensor<double> by_kind = Tensor<double>::from_shape({shape.layers * shape.heads, kinds});
  NumpyRandom random(0);
  for (std::size_t kind = 0; kind < kinds; ++kind) {
    Batch batch = no_pictures(data);
    for (std::size_t i = 0; i < pictures_of_a_kind; ++i) add_picture_of(random, data, kind, batch);
    const Tensor<double> provided = given_to_the_odd(batch, weights_over(learned.model, batch));
    xt::view(by_kind, xt::all(), kind) = xt::sum(provided, {0}) / static_cast<double>(batch.sequences);
  }
  return by_kind;
}

// --- Figures

/// Some pictures, and below each what its finder reads.
Figure pictures_figure(const Learned& learned, const ShapesData& data, const TaskWords& words) {
  const Batch some = first_of(learned.task.held_out, pictures_shown);
  const Tensor<double> weights = weights_over(learned.model, some);
  const Tensor<double> provided = given_to_the_odd(some, weights);
  const std::size_t heads = provided.shape()[1];
  const PatchGrid grid = data.patches();
  std::vector<Panel> above;
  std::vector<Panel> below;
  for (std::size_t i = 0; i < some.sequences; ++i) {
    const std::shared_ptr<const Image> image = image_of(pixels_of(some, i, data));
    HeatMap picture = picture_map(grid, image, some.wanted[i], "");
    picture.id = fmt::format("picture_{}", i);
    above.push_back({Text::none(), std::move(picture)});
    const std::size_t finder = largest_index(xt::view(provided, i));
    const double* class_token = weights.data() + (i * heads + finder) * some.tokens * some.tokens;
    const std::vector<double> row(class_token, class_token + some.tokens);
    const TaskWords of_it = words.with({{"head", head_through_layers(learned.task.shape, finder)},
                                        {"percent", 100.0 * row[some.wanted[i]]}});
    below.push_back(
        {of_it("pictures_below"), reading_map(fmt::format("read_{}", i), grid, image, row, some.wanted[i])});
  }
  above.insert(above.end(), below.begin(), below.end());
  return Figure{"pictures", words(learned.has_found() ? "pictures" : "pictures_as_they_came")}
      .described(words("pictures_description"))
      .captioned(words("pictures_caption"))
      .all_panels(std::move(above))
      .in_columns(some.sequences)
      .sharing_axes()
      .on_page(14.0, 8.6);
}

/// "a circle L0 H2 (0.93)": the head that gives each kind most.
Text finders_of(const Tensor<double>& by_kind, const Learned& learned, const TaskWords& words) {
  std::vector<Text> found;
  for (std::size_t kind = 0; kind < kinds; ++kind) {
    std::size_t finder = 0;
    for (std::size_t head = 1; head < by_kind.shape()[0]; ++head)
      if (by_kind(head, kind) > by_kind(finder, kind)) finder = head;
    found.push_back(words.with({{"kind", words(fmt::format("kind_{}", kind))},
                                {"head", head_through_layers(learned.task.shape, finder)},
                                {"weight", by_kind(finder, kind)}})("finder"));
  }
  return listed(found);
}

Figure kinds_figure(const Tensor<double>& by_kind, const Learned& learned, const TaskWords& words) {
  std::vector<ShortText> heads;
  for (std::size_t head = 0; head < by_kind.shape()[0]; ++head)
    heads.emplace_back(head_through_layers(learned.task.shape, head));
  std::vector<ShortText> names;
  for (std::size_t kind = 0; kind < kinds; ++kind) names.emplace_back(words(fmt::format("kind_{}", kind)));
  const Tensor<double> across = transpose(by_kind);
  return Figure{"kinds", words("kinds")}
      .described(words("kinds_description"))
      .captioned(text("{}{}", "{}{}", words.with({{"each", pictures_of_a_kind}})("kinds_caption"),
                      note_on_heads_of_layers()))
      .panel(HeatMap{"by_kind", to_matrix(across)}
                 .rows(words("kind"), names)
                 .columns(words("head"), heads)
                 .coloured(weight_colours())
                 .with_numbers(2))
      .on_page(10.0, 5.2);
}

// --- The task

/// Of every head over the example, as `attend --image` takes them: (layers, heads, tokens, head width).
std::vector<Stage> compared_stages(const Learned& learned) {
  const ModelShape& shape = learned.task.shape;
  Pass<double> pass(learned.model, 1);
  pass.forward(learned.model, learned.task.example, 0, 1);
  const auto stage = [&](const char* name, StridedMatrix<double> Head<double>::*side) {
    Tensor<double> all = Tensor<double>::from_shape(
        {shape.layers, shape.heads, learned.task.example.tokens, shape.head_width()});
    double* to = all.data();
    for (std::size_t head = 0; head < shape.layers * shape.heads; ++head) {
      const StridedMatrix<double> matrix = pass.stack().head(head / shape.heads, head % shape.heads, 0).*side;
      for (std::size_t row = 0; row < matrix.rows; ++row)
        to = std::copy_n(matrix.row(row), matrix.columns, to);
    }
    return learned_stage(name, all, {"layers", "heads", "tokens", "head_width"});
  };
  return {stage("query", &Head<double>::query), stage("key", &Head<double>::key),
          stage("value", &Head<double>::value)};
}

void report_shapes(const ShapesData& data, const Learned& learned, TrainingReport& training) {
  const Tensor<double> by_kind = weights_by_kind(learned, data);
  const TaskWords words = training.words.with({{"finders", finders_of(by_kind, learned, training.words)}});
  training.figures.push_back(pictures_figure(learned, data, words));
  training.figures.push_back(kinds_figure(by_kind, learned, words));
  training.learned.insert(training.learned.begin(), words.say("say_finders"));
  append(training.stages, compared_stages(learned));
  append(training.stages,
         {learned_stage("picture", pixels_of(learned.task.example, 0, data), {"rows", "columns", "colours"}),
          learned_stage("weight_by_kind", by_kind, {"all_heads", "kinds"})});
}

Task finding_shapes(const Arguments& arguments) {
  const ShapesData data{arguments.count("grid")};
  Task task{"shapes", {{"grid", data.grid}, {"shapes", data.grid * data.grid}}};
  task.words = {"[class]", "[patch]"};
  task.answers = TaskWords("shapes").list("colours", Language::en);
  task.shape = model_shape(arguments, task.words.size(), task.answers.size(), data.tokens());
  task.shape.pixels = numbers_of_patch;
  task.draw = [data](NumpyRandom& random, std::size_t pictures) {
    return draw_pictures(random, pictures, data);
  };
  hold_out(task, arguments, pictures_held_out, task.draw);
  task.measure = HeadMeasure{"weight_on_the_odd", TaskWords("shapes").plain("measure"), weight_on_the_odd};
  task.complete = [data](const Learned& learned, TrainingReport& training) {
    report_shapes(data, learned, training);
  };
  return task;
}

}  // namespace

Experiment shapes_task() {
  std::vector<Parameter> parameters = training_parameters(
      {TaskWords("shapes").flag("grid", IntegerKind{{2, 8}}, "5")},
      {{"layers", "2"}, {"heads", "4"}, {"width", "64"}, {"mlp", "128"}, {"norm", "pre"}, {"steps", "1200"}});
  const auto typed = std::find_if(parameters.begin(), parameters.end(),
                                  [](const Parameter& one) { return one.name == "input"; });
  parameters.erase(typed);  // pictures are not typed
  return learning_task("shapes", std::move(parameters), learned_report<finding_shapes>);
}

}  // namespace attnlab
