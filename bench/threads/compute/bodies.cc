// The movement of a few bodies that attract each other.
#include "work.h"

#include <cmath>

struct Body {
  double x[3], v[3], mass;
};
static constexpr int kBodies = 5;
static Body bodies[2][kBodies];

int main(int argc, char** argv) {
  for (int t = 0; t < 2; ++t)
    for (int i = 0; i < kBodies; ++i)
      for (int d = 0; d < 3; ++d) bodies[t][i].x[d] = 3.0 * i * (d + 1) - d, bodies[t][i].v[d] = 0.1 * d - 0.05 * i, bodies[t][i].mass = 1 + i;
  return run(argc, argv, [](int t, int) {
    for (int step = 0; step < 500; ++step) {
      for (int i = 0; i < kBodies; ++i)
        for (int j = i + 1; j < kBodies; ++j) {
          Body &one = bodies[t][i], &other = bodies[t][j];
          double delta[3], square = 0.01;
          for (int d = 0; d < 3; ++d) delta[d] = one.x[d] - other.x[d], square += delta[d] * delta[d];
          const double pull = 0.001 / (square * std::sqrt(square));
          for (int d = 0; d < 3; ++d) {
            one.v[d] -= delta[d] * other.mass * pull;
            other.v[d] += delta[d] * one.mass * pull;
          }
        }
      for (Body& body : bodies[t])
        for (int d = 0; d < 3; ++d) body.x[d] += 0.001 * body.v[d];
    }
    return bodies[t][0].x[0];
  });
}
